// What the review of a plan has come to so far.

import type { ChangedFile } from "../../core/flow/repository.ts";
import type { PlanText } from "../../core/plan/diff.ts";
import { changedTasks } from "../../core/plan/diff.ts";
import { taskId } from "../../core/plan/plan.ts";
import type { ReviewRules } from "../../core/run/ceremony.ts";
import { textDiff } from "../../core/text/text-diff.ts";
import { type Rounds, startRounds } from "../work/review-rounds.ts";
import type { PlanJob } from "./write.ts";

/** In the order in which their findings are taken: how it is cut comes before what it leaves out. */
export const planReviewers = ["architect", "spec-reviewer"] as const;

/** Only the flow that reviews the plan changes it. */
export interface PlanUnderReview {
  readonly job: PlanJob;
  readonly designPath: string;
  readonly review: ReviewRules;
  readonly rounds: Rounds;
  draft: PlanText;
  /** What the last revision changed. */
  since: PlanChange | null;
  /** What the person said on the way. */
  guidance: readonly string[];
  /** Reviews and revisions so far. */
  cycles: number;
  revisions: number;
}

export interface PlanChange {
  files: ChangedFile[];
  diff: string;
  /** The tasks it touched. */
  ids: string[];
}

/** In a single pass nothing is revised unless the person says how. */
export function startPlanReview(
  parts: Pick<PlanUnderReview, "job" | "designPath" | "review" | "draft">,
): PlanUnderReview {
  const isSinglePass = parts.review.planMode === "single-pass";
  const limit = isSinglePass ? 0 : parts.review.maxPlanReviewCycles;
  const rounds = startRounds({ isSinglePass, limit, granted: limit });
  return { ...parts, rounds, since: null, guidance: [], cycles: 0, revisions: 0 };
}

export function changeOf(path: string, before: PlanText, after: PlanText): PlanChange {
  return {
    files: [{ path, change: "modified" }],
    diff: textDiff(before.text, after.text),
    ids: changedTasks(before, after).map(taskId),
  };
}
