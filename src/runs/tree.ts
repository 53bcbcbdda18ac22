// The working tree a command is about, its runs, and the one that is active in it.

import { locate, type WorkingTree } from "../adapters/repo/git/place/locate.ts";
import { fileRuns } from "../adapters/store/file-runs.ts";
import type { Runs } from "../ports/runs.ts";
import { Problem } from "./problem.ts";

export interface Tree {
  readonly place: WorkingTree;
  readonly runs: Runs;
}

export async function openTree(folder: string): Promise<Tree> {
  const located = await locate(folder);
  if (!located.found) throw new Problem(located.problem.message, "not-possible");
  return { place: located.place, runs: fileRuns(located.place) };
}

/** The id of the active run; a Problem that says how to start one when there is none. */
export async function activeRun({ runs }: Pick<Tree, "runs">): Promise<string> {
  const runId = await runs.readActive();
  if (runId !== undefined) return runId;
  throw new Problem('No run is active in this tree. Start one: superteam run "<what to build>"', "wrong-usage");
}

/** E7: one runner per working tree. */
export async function locked<T>({ runs }: Pick<Tree, "runs">, runId: string, act: () => Promise<T>): Promise<T> {
  const leasing = await runs.lease(runId);
  if (!leasing.taken) throw new Problem(leasing.message, "not-possible");
  try {
    return await act();
  } finally {
    await leasing.lease.release();
  }
}
