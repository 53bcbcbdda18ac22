// superteam costs, runs, report, log: what a run cost and did, from its journal. They only read, so they answer at once,
// also while another process runs and after the run has ended.

import { costLines, costsOf } from "../../../engine/views/show/costs.ts";
import { chooseRun } from "../../../runs/look/choose.ts";
import { logOf } from "../../../runs/look/log.ts";
import { lookAt, lookAtLine } from "../../../runs/look/look.ts";
import { reportText, runLines, runsText } from "../../../runs/look/past.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print, printRows, printWords } from "../say.ts";

interface LookOptions {
  readonly folder: string;
  /** Which run; the active or last one when it is left out. */
  readonly id?: string | undefined;
  readonly json?: boolean;
}

export async function costs({ folder, id, json }: LookOptions): Promise<void> {
  const runs = await runsAt(folder);
  const { view, owner } = await lookAt(runs, await chooseRun(runs, id));
  const spent = costsOf(view, owner !== undefined);
  print(json ? JSON.stringify(spent) : costLines(spent).join("\n"));
}

export async function runs({ folder, json }: LookOptions): Promise<void> {
  const all = await runsAt(folder);
  if (!json) return printRows(await runsText(all));
  const { inLine } = await lookAtLine(all);
  print(JSON.stringify({ runs: await runLines(all), inLine }));
}

export async function report({ folder, id, json }: LookOptions): Promise<void> {
  const runs = await runsAt(folder);
  const runId = await chooseRun(runs, id);
  const text = (await reportText(runs, runId)).trimEnd();
  await (json ? print(JSON.stringify({ runId, report: text })) : printWords(text));
}

/** With `follow` it prints entries as they come, until the run ends or its reader goes away. */
export async function log({ folder, id, json, follow }: LookOptions & { readonly follow?: boolean }): Promise<void> {
  const runs = await runsAt(folder);
  const runId = await chooseRun(runs, id);
  const unread = new AbortController();
  process.stdout.once("error", () => unread.abort());
  const options = { json: json ?? false, follow: follow ?? false, signal: unread.signal };
  for await (const lines of logOf(runs, runId, options))
    for (const line of lines) await (json ? print(line) : printWords(line));
}
