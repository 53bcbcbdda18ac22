// The review of a task by one of its reviewers: a flow of its own, so that several can run side by side.

import { z } from "zod";
import { defineFlow, type Flow } from "../../core/flow/flow.ts";
import { Requirement } from "../../core/plan/brainstorm.ts";
import { criterionId, Task } from "../../core/plan/plan.ts";
import { Diff } from "../../core/review/anchor.ts";
import { openIn, RegisteredFinding } from "../../core/review/register.ts";
import { Review } from "../../core/review/review.ts";
import type { TaskReviewer } from "../../core/run/ceremony.ts";
import { optionalReviewers, severities } from "../../core/run/config.ts";
import {
  performanceReview,
  qualityReview,
  type ReviewBrief,
  securityReview,
  specReview,
} from "../../prompts/review.ts";
import { Reviewed, runReview } from "../work/review.ts";
import { attempt, Trouble } from "../work/trouble.ts";

/** An optional reviewer advises: what it finds is only recorded, unless it is critical. */
export function isAdviser(role: string): boolean {
  return optionalReviewers.some((optional) => optional === role);
}

export const TaskReviewInput = z.object({
  /** Where questions about this review belong, such as `execute.task.2`. */
  step: z.string(),
  role: z.enum(["spec-reviewer", "quality-reviewer", ...optionalReviewers]),
  task: Task,
  requirements: z.array(Requirement),
  changes: Diff,
  /** What was fixed since this reviewer looked last; null at its first review. */
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
  Record<TaskReviewer, { readonly name: string; readonly prompt: (brief: ReviewBrief) => string }>
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
  const review = {
    order: { step: `${input.step}.${name}`, name, role, prompt: prompt(brief), access: "read", mayGiveUp: true },
    schema: isAdviser(role) ? Review.transform(advice) : Review,
    register,
    basis: { role, blockOn, ids, task: changes, fix: since },
  } as const;
  return yield* attempt(runReview(review));
}

/** An adviser's "no" is explained by what it found; only a "no" without any reason leaves a doubt. */
function advice(review: Review): Review {
  return { ...review, passed: review.passed || review.findings.length > 0 };
}
