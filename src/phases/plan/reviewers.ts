// One review of the plan by each of its reviewers, side by side or one after the other.

import type { Flow } from "../../core/flow/flow.ts";
import { taskId } from "../../core/plan/plan.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { type Claims, noClaims } from "../../core/plan/writer-report.ts";
import type { Diff } from "../../core/review/anchor.ts";
import { describeWithRole, type Register } from "../../core/review/register.ts";
import { type PlanReviewer, planReviewers } from "../../core/run/ceremony.ts";
import type { ReviewRules } from "../../core/run/mode-settings.ts";
import { planReview } from "../../prompts/plan-review.ts";
import type { ReviewOrder } from "../work/review.ts";
import { ReviewRounds } from "../work/review-rounds.ts";
import type { PlanJob } from "./write.ts";

/** Only the flow that reviews the plan changes it. */
export interface PlanUnderReview {
  readonly job: PlanJob;
  readonly designPath: string;
  readonly review: ReviewRules;
  readonly rounds: ReviewRounds;
  draft: PlanText;
  /** What the last revision changed. */
  since: Diff | null;
  /** The findings that it was to answer. */
  answered: Register;
  /** What the planner has against findings. */
  claims: Claims;
  /** What the person said on the way. */
  guidance: readonly string[];
  /** Reviews and revisions so far. */
  cycles: number;
  revisions: number;
}

/** In a single pass nothing is revised unless the person says how. */
export function startPlanReview(
  parts: Pick<PlanUnderReview, "job" | "designPath" | "review" | "draft">,
): PlanUnderReview {
  const isSinglePass = parts.review.planMode === "single-pass";
  const limit = isSinglePass ? 0 : parts.review.maxPlanReviewCycles;
  const rounds = new ReviewRounds({ limit, isSinglePass });
  return { ...parts, rounds, since: null, answered: [], claims: noClaims, guidance: [], cycles: 0, revisions: 0 };
}

const names = { architect: "architect-review", "spec-reviewer": "plan-spec-review" } as const;

/** Both reviewers' verdicts on the plan as it is. Where nothing was changed, only those whose findings are disputed look again. */
export function* takePlanReviews(plan: PlanUnderReview): Flow<void> {
  const cycle = plan.cycles++;
  yield* plan.rounds.takeReviews({
    orders: planReviewers.filter((role) => !isKnown(plan, role)).map((role) => orderReview(plan, role)),
    together: plan.review.planOrder === "parallel",
    scopes: ({ role }) => role,
    fact: (role, { verdict }, findings) => ({ type: "plan.reviewed", role, cycle, verdict, findings }),
  });
}

function isKnown({ since, rounds }: PlanUnderReview, role: PlanReviewer): boolean {
  return since?.files.length === 0 && rounds.hasVerdict(role);
}

function orderReview(plan: PlanUnderReview, role: PlanReviewer): ReviewOrder {
  const { job, draft, designPath, guidance, since: fix, review, rounds } = plan;
  const { disputed } = plan.claims;
  const answered = plan.answered.filter((entry) => entry.role !== role).map(describeWithRole);
  const blockOn = review.blockOnSeverity;
  const brief = {
    ...job,
    design: { path: designPath, text: job.design },
    plan: { path: job.path, text: draft.text },
    guidance,
    blockOn,
    since: fix && { changes: fix, open: rounds.open(role), answered, disputed, writer: "planner" },
  };
  const ids = [...job.requirements.map(({ id }) => id), ...draft.plan.tasks.map(({ id }) => taskId(id))];
  const task: Diff = { files: [{ path: job.path, change: "added" }], diff: "" };
  return {
    step: `plan.review.${role}`,
    name: names[role],
    role,
    prompt: planReview(brief),
    ...(role === "spec-reviewer" ? { instructions: "plan-spec-review" } : {}),
    mayGiveUp: false,
    form: "review",
    register: rounds.register,
    basis: { blockOn, ids, task, fix, sources: [designPath], disputed },
  };
}
