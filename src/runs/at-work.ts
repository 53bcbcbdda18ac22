// Which process works in a working tree. Commands that only look load this, so it loads nothing itself.

import type { LeaseOwner, Runs } from "../ports/runs.ts";

/** The process that is at work on this run here: another one may hold the tree for a team beside a suspended run. */
export async function runnerOf(runs: Runs, runId: string): Promise<LeaseOwner | undefined> {
  const owner = await runs.owner();
  return owner?.runId === runId ? owner : undefined;
}

/** The process in which a team is at work here. A run holds the tree too for a moment before it is active, and after. */
export async function teamAtWork(runs: Runs): Promise<LeaseOwner | undefined> {
  const owner = await runs.owner();
  if (owner === undefined || owner.runId === (await runs.readActive())) return undefined;
  // It may not have begun yet.
  const [first] = await runs.read(owner.runId).catch(() => []);
  return first?.type === "run" && !first.header.pipeline.becomesActive ? owner : undefined;
}
