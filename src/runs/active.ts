// The run that is active in a working tree, and the one process that may go on with it.

import type { Lease, Runs } from "../ports/runs.ts";
import { Problem } from "./problem.ts";

/** The id of the active run; a Problem that says how to start one when there is none. */
export async function activeRun(runs: Runs): Promise<string> {
  const runId = await runs.readActive();
  if (runId !== undefined) return runId;
  throw new Problem('No run is active in this tree. Start one: superteam run "<what to build>"', "wrong-usage");
}

/** E7: one runner per working tree. */
export async function locked<T>(runs: Runs, runId: string, act: (lease: Lease) => Promise<T>): Promise<T> {
  const leasing = await runs.lease(runId);
  if (!leasing.taken) throw new Problem(leasing.message, "not-possible");
  try {
    return await act(leasing.lease);
  } finally {
    await leasing.lease.release();
  }
}
