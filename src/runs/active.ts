// The run that is active in a working tree, and the one process that may run it.

import type { Lease, Runs, Unsent } from "../ports/runs.ts";
import { Problem } from "./problem.ts";

/** The id of the active run. Throws a Problem that says how to start one if none is active. */
export async function activeRun(runs: Runs): Promise<string> {
  const runId = await runs.readActive();
  if (runId !== undefined) return runId;
  throw new Problem('No run is active in this tree. Start one: superteam run "<what to build>"', "wrong-usage");
}

/** Gives the live runner's receipt. Agents get five seconds to end before they are killed; theirs comes after that. */
export async function tellRunner(runs: Runs, runId: string, message: Unsent): Promise<string> {
  const isAnswer = message.kind === "answer";
  const sent = await runs.send(runId, message, isAnswer ? 15_000 : 30_000);
  if (sent.how !== "received") throw new Problem(sent.text, "failed");
  if (!sent.receipt.ok) throw new Problem(sent.receipt.text, isAnswer ? "wrong-usage" : "failed");
  return sent.receipt.text;
}

/** E7: one runner per working tree. */
export async function locked<T>(runs: Runs, runId: string, act: (lease: Lease) => Promise<T>): Promise<T> {
  const leasing = await runs.lease(runId);
  if (!leasing.taken) throw new Problem(leasing.message, "not-possible");
  try {
    return await act(leasing.lease);
  } catch (error) {
    const replaced = error instanceof Problem ? undefined : await leasing.lease.replaced();
    throw replaced === undefined ? error : new Problem(replaced, "not-possible");
  } finally {
    await leasing.lease.release();
  }
}
