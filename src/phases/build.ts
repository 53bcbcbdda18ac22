// The implementer's part of a task: the first attempt, a fix, and a new start after a rollback.

import { type Flow, record, restore, snapshot } from "../core/flow.ts";
import { afterFix, afterRollback } from "../core/register.ts";
import type { Anchor } from "../core/repository.ts";
import { failedCommandText, findingsText, fix, implement } from "../prompts/task.ts";
import { engage } from "./consult.ts";
import { type Fixable, isFixable, type Job, type Obstacle, stepOf } from "./task-job.ts";

/** Implements the task. `lesson` says what became of the attempt before; empty at the first. */
export function* build(job: Job, lesson: string): Flow<void> {
  yield* status(job, "implementing");
  yield* write(job, "implement", implement(job.input, lesson), job.start);
}

/** One fix: the first half of a round. */
export function* mend(job: Job, obstacle: Fixable): Flow<void> {
  job.used += 1;
  job.rounds += 1;
  yield* status(job, "fixing");
  const before = yield* snapshot(`fix-${job.rounds}`);
  job.fixes = [...job.fixes, before];
  yield* write(job, "fix", fix(job.input, problemText(obstacle), obstacle.changes), before);
  if (obstacle.kind === "findings") job.register = afterFix(job.register, obstacle.role);
}

/** Takes everything back and implements the task again, with what was wrong in mind. */
export function* startOver(job: Job, obstacle: Obstacle): Flow<void> {
  yield* restore("rollback", job.start);
  job.register = afterRollback(job.register);
  job.reviews.clear();
  job.validated = null;
  const reason = isFixable(obstacle) ? `\n${problemText(obstacle)}` : "";
  yield* build(job, `It was taken back: the tree is as it was before the task.${reason}`);
}

function* write(job: Job, name: "implement" | "fix", prompt: string, undo: Anchor): Flow<void> {
  yield* engage({ step: stepOf(job, name), name, role: "implementer", access: "write", prompt, undo });
}

function problemText(obstacle: Fixable): string {
  if (obstacle.kind === "validation") return failedCommandText(obstacle.command, obstacle.output);
  return findingsText(obstacle.open);
}

function* status(job: Job, what: "implementing" | "fixing"): Flow<void> {
  yield* record({ type: "task.status", task: `${job.input.task.id}`, status: what, round: job.rounds });
}
