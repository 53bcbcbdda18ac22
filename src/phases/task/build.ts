// The implementer's part of a task: the first attempt, a fix, and a new start after a rollback. Each returns the obstacle that stopped the
// implementer, or undefined if it did its part.

import type { Flow } from "../../core/flow/flow.ts";
import { noClaims, type ReadReport, readWriterReport, withClaims } from "../../core/plan/writer-report.ts";
import { afterRollback, describeWithRole } from "../../core/review/register.ts";
import { listed } from "../../core/text/format.ts";
import { failedCheckText, fix, implement, rolledBackLesson, toFixText, unprovedText } from "../../prompts/task.ts";
import { redBefore } from "../suite/suite.ts";
import { type Fixable, isFixable, type Obstacle } from "../work/escalation.ts";
import { rollBack, tryWriter, type WriterEnd } from "../work/work-range.ts";
import { type AnsweredByFix, become, stepOf, type TaskWork } from "./task-work.ts";

/** Implements the task. `lesson` says what happened to the attempt before; empty at the first. */
export function* build(job: TaskWork, lesson: string): Flow<Obstacle<"agent"> | undefined> {
  const { mode, tdd } = job.settings;
  const prompt = implement({ ...job.input, mode, tdd, red: redBefore(job.suite) }, lesson);
  const done = ({ text }: WriterEnd): void => {
    const { isStructured, report } = heard(job, text);
    job.said = isStructured ? report.summary : text;
  };
  return yield* write(job, { name: "implement", prompt, done });
}

/** One fix: the first half of a round. */
export function* fixTask(job: TaskWork, obstacle: Fixable): Flow<Obstacle<"agent"> | undefined> {
  const { rounds } = job;
  yield* become(job, "fixing");
  yield* rounds.keepBeforeFix(`fix-${rounds.total}`);
  const problem = { text: problemText(obstacle), isFinding: obstacle.kind === "findings" };
  const prompt = fix({ ...job.input, red: redBefore(job.suite) }, problem, job.changes);
  job.answered.push(answeredBy(obstacle));
  const done = ({ text, changed }: WriterEnd): void => {
    const { disputed } = heard(job, text).report;
    if (obstacle.kind === "findings") rounds.countFix(obstacle.roles, { changed, disputed });
  };
  return yield* write(job, { name: "fix", prompt, done });
}

function heard(job: TaskWork, text: string): ReadReport {
  job.report = readWriterReport(text);
  job.claims = withClaims(job.claims, job.report.report);
  return job.report;
}

/** Rolls everything back and implements the task again, with what was wrong in mind. */
export function* startOver(job: TaskWork, obstacle: Obstacle): Flow<Obstacle<"agent"> | undefined> {
  yield* undoTask(job, "rollback");
  job.rounds.receipts = [];
  job.claims = noClaims;
  return yield* build(job, rolledBackLesson(isFixable(obstacle) ? problemText(obstacle) : ""));
}

/** What was found in the work is history with it. */
export function* undoTask(job: TaskWork, name: "rollback" | "skip"): Flow<void> {
  yield* rollBack(job.range, { name, step: `execute.task.${job.input.task.id}` });
  job.rounds.register = afterRollback(job.rounds.register);
  job.testFirst = null;
  job.unproved = null;
  job.alone = null;
}

interface Writing {
  readonly name: "implement" | "fix";
  readonly prompt: string;
  readonly done: (end: WriterEnd) => void;
}

function* write(job: TaskWork, writing: Writing): Flow<Obstacle<"agent"> | undefined> {
  const { name, prompt, done } = writing;
  const { complexity, tdd } = job.input.task;
  yield* become(job, name === "fix" ? "fixing" : "implementing");
  const order = {
    step: stepOf(job, name),
    name,
    role: "implementer",
    prompt,
    difficulty: complexity,
    // A fix answers to findings, or to a check that has failed already; not each asks for a new test.
    testFirst: name === "implement" && tdd === "required",
  } as const;
  return yield* tryWriter(order, job.range, { done, again: () => write(job, writing) });
}

function problemText(obstacle: Fixable): string {
  if (obstacle.kind === "unproved") return unprovedText(obstacle.why);
  return obstacle.kind === "findings" ? toFixText(obstacle) : failedCheckText(obstacle);
}

/** What the fix of an obstacle answers, for reviewers who did not ask for it. */
function answeredBy(obstacle: Fixable): readonly AnsweredByFix[] {
  if (obstacle.kind === "findings")
    return obstacle.open.map((entry) => ({ role: entry.role, text: describeWithRole(entry) }));
  if (obstacle.kind === "unproved") return [{ role: null, text: "Nothing showed that the task was built test first." }];
  const tests = obstacle.kind === "regression" ? `: ${listed(obstacle.tests)}` : "";
  return [{ role: null, text: `\`${obstacle.command}\` failed${tests}.` }];
}
