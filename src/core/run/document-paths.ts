// Where a run's documents live: `docs/plans/YYYY-MM-DD-<slug>-<kind>.md`.

import { z } from "zod";
import { planPath } from "../plan/path.ts";
import { TreePath } from "../plan/plan.ts";
import { mostParts } from "../plan/triage.ts";
import { firstLine, oneLine, shorten } from "../text/format.ts";

export const RunDocuments = z.object({ design: TreePath, plan: TreePath, progress: TreePath, summary: TreePath });
export type RunDocuments = z.infer<typeof RunDocuments>;

/** `date` as YYYY-MM-DD. `isTaken` keeps a second run of the same day and goal from writing over the first. */
export function documentsFor(date: string, goal: string, isTaken: (path: string) => boolean): RunDocuments {
  for (let number = 1; ; number++) {
    const stem = `docs/plans/${date}-${slug(goal)}${number === 1 ? "" : `-${number}`}`;
    const documents = {
      design: `${stem}-design.md`,
      plan: `${stem}-plan.md`,
      progress: `${stem}-progress.md`,
      summary: `${stem}-summary.md`,
    };
    if (!pathsIn(documents).some(isTaken)) return documents;
  }
}

/** Every path a document of the run may have, with a plan for each part there can be. */
export function pathsIn({ plan, ...others }: RunDocuments): readonly string[] {
  const plans = Array.from({ length: mostParts }, (_, index) => planPath(plan, index + 1));
  return [...Object.values(others), ...plans];
}

/** Design and plans. Progress and summary are folds over the journal. */
export function guardedIn(documents: RunDocuments): readonly string[] {
  return pathsIn(documents).filter((path) => path !== documents.progress && path !== documents.summary);
}

/** Lower-case words with hyphens, at most 40 characters; `run` when nothing is left of the goal. */
export function slug(goal: string): string {
  const words = goal
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    if (name !== "" && name.length + word.length >= 40) break;
    name = name === "" ? word.slice(0, 40) : `${name}-${word}`;
  }
  return name === "" ? "run" : name;
}

/** A goal as part of a commit's subject: its first line, cut between words. */
export function inShort(goal: string): string {
  const line = oneLine(firstLine(goal.trim())).replace(/^#+ /, "");
  const short = shorten(line, 60, "...");
  return short === line ? line : short.replace(/^(.{30,}) \S*\.\.\.$/, "$1...");
}
