// Which run to look at: by its id or a part of it, or else the active or last one.

import type { Runs } from "../../ports/runs.ts";
import { Problem } from "../problem.ts";

/** The run by that id or a part of it, else the active one, else the last one that has begun. */
export async function chooseRun(runs: Runs, id: string | undefined): Promise<string> {
  const ids = await runs.list();
  const runId = id === undefined ? ((await runs.readActive()) ?? (await lastBegun(runs, ids))) : named(ids, id);
  if (runId !== undefined) return runId;
  const start = 'Start one: superteam run "<what to build>"';
  throw new Problem(`There are no runs in this repository yet. ${start}`, "wrong-usage");
}

/** The last letters of an id, or how it begins, are enough where only one run has them. */
function named(ids: readonly string[], id: string): string {
  if (ids.includes(id)) return id;
  const [found, ...others] = ids.filter((runId) => id !== "" && (runId.startsWith(id) || runId.endsWith(id)));
  const said = JSON.stringify(id);
  if (found === undefined)
    throw new Problem(`There is no run ${said} in this repository. See them all: superteam runs`, "wrong-usage");
  if (others.length === 0) return found;
  const which = [found, ...others].join(", ");
  throw new Problem(`${said} matches several runs: ${which}. Give more characters.`, "wrong-usage");
}

async function lastBegun(runs: Runs, ids: readonly string[]): Promise<string | undefined> {
  for (const runId of ids.toReversed()) if (await runs.hasBegun(runId)) return runId;
  return undefined;
}
