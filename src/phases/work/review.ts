// One review, from the reviewer's answer to what code makes of it. What cannot be checked goes back to the reviewer once;
// after that it is only recorded. The review of a task is a flow of its own, so that several can run side by side.

import { z } from "zod";
import { defineFlow, type Flow, read } from "../../core/flow/flow.ts";
import { Requirement } from "../../core/plan/brainstorm.ts";
import { criterionId, Task } from "../../core/plan/plan.ts";
import { filesToRead } from "../../core/review/anchor.ts";
import {
  amended,
  type Bench,
  type Judgement,
  judge,
  openIn,
  type Register,
  RegisteredFinding,
} from "../../core/review/register.ts";
import { Review, verdicts } from "../../core/review/review.ts";
import { severities } from "../../core/run/config.ts";
import {
  performanceReview,
  qualityReview,
  type ReviewBrief,
  returned,
  securityReview,
  specReview,
} from "../../prompts/review.ts";
import { allReviewers, isAdviser, type Reviewer } from "../task/task-job.ts";
import { type Consultation, consult } from "./consult.ts";
import { attempt, Trouble } from "./trouble.ts";

/** What a review came to; `register` is the one it was given, with its own answers and findings. */
export const Reviewed = z.object({
  register: z.array(RegisteredFinding),
  verdict: z.enum(verdicts),
  summary: z.string(),
  /** The tree that was reviewed. */
  tree: z.string(),
});
export type Reviewed = z.infer<typeof Reviewed>;

export interface Sitting {
  readonly order: Consultation;
  readonly schema: z.ZodType<Review>;
  readonly register: Register;
  /** What the review is held against, but for the texts it quotes: those are read as they are now. */
  readonly bench: Omit<Bench, "texts">;
}

export function* hold({ order, schema, register, bench }: Sitting): Flow<Reviewed> {
  const answer = { tag: "superteam-json", schema } as const;
  const first = yield* consult(order, answer);
  const seat = yield* withTexts(bench, first.value);
  const judged = judge(register, first.value, seat);
  if (judged.complaints.length === 0) return reviewed(judged, first);
  const second = yield* consult({ ...order, prompt: returned(order.prompt, judged.complaints) }, answer);
  const whole = amended(first.value, second.value, seat);
  return reviewed(judge(register, whole, yield* withTexts(bench, whole)), second);
}

function* withTexts(bench: Sitting["bench"], review: Review): Flow<Bench> {
  const texts: Record<string, string | null> = {};
  for (const path of filesToRead(review, bench)) texts[path] = yield* read(path);
  return { ...bench, texts };
}

function reviewed(
  { register, verdict }: Judgement,
  { value, outcome }: { readonly value: Review; readonly outcome: { readonly tree: string } },
): Reviewed {
  return { register: [...register], verdict, summary: value.summary, tree: outcome.tree };
}

const Diff = z.object({
  files: z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) })),
  diff: z.string(),
  diffFile: z.string().optional(),
});

export const TaskReviewInput = z.object({
  /** Where questions about this review belong, such as `execute.task.2`. */
  step: z.string(),
  role: z.enum(allReviewers),
  task: Task,
  requirements: z.array(Requirement),
  changes: Diff,
  /** What was fixed since this reviewer looked last; null at its first look. */
  since: Diff.nullable(),
  blockOn: z.enum(severities),
  /** Whether all reviewers of the task look at the same time. */
  isUnproven: z.boolean(),
  register: z.array(RegisteredFinding),
});
export type TaskReviewInput = z.infer<typeof TaskReviewInput>;

/** A reviewer that cannot be used has reviewed nothing; what others say at the same time still counts. */
export const TaskReviewed = z.union([z.object({ value: Reviewed }), z.object({ trouble: Trouble })]);
export type TaskReviewed = z.infer<typeof TaskReviewed>;

export const reviewTask = defineFlow({ kind: "step", input: TaskReviewInput, returns: TaskReviewed, run: taskReview });

/** What a review of each kind is called, and what its reviewer is told. */
export const reviewKinds: Readonly<
  Record<Reviewer, { readonly name: string; readonly prompt: (brief: ReviewBrief) => string }>
> = {
  "spec-reviewer": { name: "spec-review", prompt: specReview },
  "quality-reviewer": { name: "quality-review", prompt: qualityReview },
  "security-reviewer": { name: "security-review", prompt: securityReview },
  "performance-reviewer": { name: "performance-review", prompt: performanceReview },
};

export function* taskReview(input: TaskReviewInput): Flow<TaskReviewed> {
  const { role, task, requirements, changes, since, register, isUnproven } = input;
  const { name, prompt } = reviewKinds[role];
  const blockOn = isAdviser(role) ? "critical" : input.blockOn;
  const open = openIn(register, role);
  const brief = { task, requirements, changes, blockOn, isUnproven, since: since && { changes: since, open } };
  const ids = [...requirements.map(({ id }) => id), ...task.criteria.map((_, index) => criterionId(index))];
  const sitting = {
    order: { step: `${input.step}.${name}`, name, role, prompt: prompt(brief), access: "read", mayGiveUp: true },
    schema: isAdviser(role) ? Review.transform(advice) : Review,
    register,
    bench: { role, blockOn, ids, task: changes, fix: since },
  } as const;
  return yield* attempt(hold(sitting));
}

/** An adviser's "no" is explained by what it found; only a "no" without any reason leaves a doubt. */
function advice(review: Review): Review {
  return { ...review, passed: review.passed || review.findings.length > 0 };
}
