// The review of a task by one of its reviewers: what it is called, and what its reviewer is told.

import type { Flow } from "../../core/flow/flow.ts";
import { criterionId } from "../../core/plan/plan.ts";
import { Diff } from "../../core/review/anchor.ts";
import type { TaskReviewer } from "../../core/run/ceremony.ts";
import { optionalReviewers } from "../../core/run/config.ts";
import { taskReview } from "../../prompts/review.ts";
import type { ReviewOrder } from "../work/review.ts";
import { stepOf, type TaskWork } from "./task-work.ts";

/** An optional reviewer advises: what it finds is only recorded, unless it is critical. */
export function isAdviser(role: string): boolean {
  return optionalReviewers.some((optional) => optional === role);
}

export function* orderReview(job: TaskWork, role: TaskReviewer): Flow<ReviewOrder> {
  const { task, requirements } = job.input;
  const { blockOnSeverity, order } = job.settings.review;
  const { register } = job.rounds;
  const name = role.replace("-reviewer", "-review");
  const blockOn = isAdviser(role) ? "critical" : blockOnSeverity;
  const changes = Diff.parse(job.changes);
  const fix = Diff.nullable().parse(yield* job.rounds.changesSince(role));
  const since = fix && { changes: fix, open: job.rounds.open(role) };
  return {
    step: stepOf(job, name),
    name,
    role,
    prompt: taskReview(role, { task, requirements, changes, blockOn, isUnproven: order === "parallel", since }),
    mayGiveUp: true,
    form: isAdviser(role) ? "advice" : "review",
    register,
    basis: { blockOn, ids: idsOf(job), task: changes, fix, sources: [] },
  };
}

function idsOf({ input: { requirements, task } }: TaskWork): readonly string[] {
  return [...requirements.map(({ id }) => id), ...task.criteria.map((_, index) => criterionId(index))];
}
