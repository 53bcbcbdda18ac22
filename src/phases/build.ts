// The implementer's part of a task: the first attempt, a fix, and a new start after a rollback.

import { type Flow, restore, snapshot } from "../core/flow.ts";
import { afterFix, afterRollback } from "../core/register.ts";
import type { Anchor } from "../core/repository.ts";
import { failedCommandText, findingsText, fix, implement } from "../prompts/task.ts";
import { engage } from "./consult.ts";
import { become, type Fixable, isFixable, type Job, type Obstacle, stepOf } from "./task-job.ts";

/** Implements the task. `lesson` says what became of the attempt before; empty at the first. */
export function* build(job: Job, lesson: string): Flow<void> {
  yield* become(job, "implementing");
  job.report = yield* write(job, "implement", implement({ ...job.input, mode: job.settings.mode }, lesson), job.before);
}

/** One fix: the first half of a round. */
export function* mend(job: Job, obstacle: Fixable): Flow<void> {
  job.used += 1;
  job.rounds += 1;
  yield* become(job, "fixing");
  const before = yield* snapshot(`fix-${job.rounds}`);
  job.fixes = [...job.fixes, before];
  yield* write(job, "fix", fix(job.input, problemText(obstacle), obstacle.changes), before);
  if (obstacle.kind === "findings") job.register = obstacle.roles.reduce(afterFix, job.register);
}

/** Takes everything back and implements the task again, with what was wrong in mind. */
export function* startOver(job: Job, obstacle: Obstacle): Flow<void> {
  yield* restore("rollback", job.start);
  job.before = job.start;
  job.register = afterRollback(job.register);
  job.reviews.clear();
  job.validated = null;
  const reason = isFixable(obstacle) ? `\n${problemText(obstacle)}` : "";
  yield* build(job, `It was taken back: the tree is as it was before the task.${reason}`);
}

function* write(job: Job, name: "implement" | "fix", prompt: string, undo: Anchor): Flow<string> {
  const difficulty = job.input.task.complexity;
  const order = {
    step: stepOf(job, name),
    name,
    role: "implementer",
    access: "write",
    prompt,
    difficulty,
    undo,
  } as const;
  const { head, text } = yield* engage(order);
  job.tip = head;
  return text;
}

function problemText(obstacle: Fixable): string {
  if (obstacle.kind === "validation") return failedCommandText(obstacle.command, obstacle.output);
  return findingsText(obstacle.open);
}
