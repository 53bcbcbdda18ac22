// The implementer's part of a task: the first attempt, a fix, and a new start after a rollback. Each returns what stood
// in the implementer's way; undefined when it did its part.

import { type Flow, snapshot } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { afterFix, afterRollback } from "../../core/review/register.ts";
import { failedCommandText, findingsText, fix, implement, rolledBackLesson } from "../../prompts/task.ts";
import { engage } from "../work/consult.ts";
import { rollBack, stand } from "../work/ground.ts";
import { attempt } from "../work/trouble.ts";
import { become, type Fixable, isFixable, stepOf, type TaskObstacle, type TaskWork } from "./task-job.ts";

/** Implements the task. `lesson` says what became of the attempt before; empty at the first. */
export function* build(job: TaskWork, lesson: string): Flow<TaskObstacle | undefined> {
  const { mode, tdd } = job.settings;
  const prompt = implement({ ...job.input, mode, tdd }, lesson);
  const done = (text: string) => {
    job.report = text;
  };
  return yield* write(job, { name: "implement", status: "implementing", prompt, undo: job.before, done });
}

/** One fix: the first half of a round. */
export function* mend(job: TaskWork, obstacle: Fixable): Flow<TaskObstacle | undefined> {
  job.used += 1;
  job.rounds += 1;
  yield* become(job, "fixing");
  const before = yield* snapshot(`fix-${job.rounds}`);
  job.fixes = [...job.fixes, before];
  const prompt = fix(job.input, problemText(obstacle), obstacle.changes);
  const done = () => {
    if (obstacle.kind === "findings") job.register = obstacle.roles.reduce(afterFix, job.register);
  };
  return yield* write(job, { name: "fix", status: "fixing", prompt, undo: before, done });
}

/** Takes everything back and implements the task again, with what was wrong in mind. */
export function* startOver(job: TaskWork, obstacle: TaskObstacle): Flow<TaskObstacle | undefined> {
  yield* rollBack(job, { name: "rollback", question: stepOf(job, "head") });
  job.before = job.start;
  job.register = afterRollback(job.register);
  job.reviews.clear();
  job.validated = null;
  return yield* build(job, rolledBackLesson(isFixable(obstacle) ? problemText(obstacle) : ""));
}

interface Writing {
  readonly name: "implement" | "fix";
  readonly status: "implementing" | "fixing";
  readonly prompt: string;
  readonly undo: Anchor;
  readonly done: (text: string) => void;
}

/** A retry keeps what is in the tree by then: the implementer's part was undone, and the rest is the person's. */
function* write(job: TaskWork, writing: Writing): Flow<TaskObstacle | undefined> {
  const { name, status, prompt, undo, done } = writing;
  yield* become(job, status);
  const came = yield* attempt(
    engage({
      step: stepOf(job, name),
      name,
      role: "implementer",
      access: "write",
      prompt,
      difficulty: job.input.task.complexity,
      // A fix answers to findings, or to a check that has failed already; not each asks for a new test.
      testFirst: name === "implement" && job.input.task.tdd === "required",
      undo,
      mayGiveUp: true,
    }),
  );
  if ("trouble" in came) return { kind: "agent", trouble: came.trouble, again: () => writeAgain(job, writing) };
  yield* stand(job, came.value);
  done(came.value.text);
  return undefined;
}

function* writeAgain(job: TaskWork, writing: Writing): Flow<TaskObstacle | undefined> {
  return yield* write(job, { ...writing, undo: yield* snapshot(writing.name) });
}

function problemText(obstacle: Fixable): string {
  if (obstacle.kind === "validation") return failedCommandText(obstacle.command, obstacle.output);
  return findingsText(obstacle.open);
}
