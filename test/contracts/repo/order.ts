// What a test orders from a repository, and what it must be given.

import assert from "node:assert/strict";
import type { Anchor, CommitOutcome } from "../../../src/core/flow/repository.ts";
import type { CommitOrder } from "../../../src/ports/repo.ts";

export const order = (since: Anchor, more: Partial<CommitOrder> = {}): CommitOrder => ({
  message: "Add the thing",
  run: "run-1",
  task: "task-1",
  request: "run-1/7",
  since,
  ...more,
});

export function committed(outcome: CommitOutcome): Extract<CommitOutcome, { status: "committed" }> {
  assert.equal(outcome.status, "committed", JSON.stringify(outcome));
  return outcome;
}
