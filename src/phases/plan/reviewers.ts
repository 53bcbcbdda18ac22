// One review of the plan by each of its reviewers, side by side or one after the other.

import { z } from "zod";
import { all, child, defineFlow, type Flow } from "../../core/flow/flow.ts";
import type { PlanText } from "../../core/plan/diff.ts";
import { PlanScope } from "../../core/plan/parts.ts";
import { taskId } from "../../core/plan/plan.ts";
import { Diff } from "../../core/review/anchor.ts";
import { openIn, RegisteredFinding } from "../../core/review/register.ts";
import { Review } from "../../core/review/review.ts";
import type { ReviewRules } from "../../core/run/ceremony.ts";
import { severities } from "../../core/run/config.ts";
import { architectReview, planSpecReview } from "../../prompts/plan-review.ts";
import { Reviewed, runReview } from "../work/review.ts";
import { ReviewRounds } from "../work/review-rounds.ts";
import type { PlanJob } from "./write.ts";

/** In the order in which their findings are taken: how it is cut comes before what it leaves out. */
export const planReviewers = ["architect", "spec-reviewer"] as const;

/** Only the flow that reviews the plan changes it. */
export interface PlanUnderReview {
  readonly job: PlanJob;
  readonly designPath: string;
  readonly review: ReviewRules;
  readonly rounds: ReviewRounds;
  draft: PlanText;
  /** What the last revision changed. */
  since: Diff | null;
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
  return { ...parts, rounds, since: null, guidance: [], cycles: 0, revisions: 0 };
}

const Quoted = z.object({ path: z.string(), text: z.string() });

const PlanReviewInput = z.object({
  role: z.enum(planReviewers),
  goal: z.string(),
  design: Quoted,
  plan: Quoted,
  part: PlanScope.optional(),
  /** Requirements and tasks, by which findings may be anchored. */
  ids: z.array(z.string()),
  guidance: z.array(z.string()),
  /** What was revised since the last review; null at the first. */
  since: Diff.nullable(),
  blockOn: z.enum(severities),
  register: z.array(RegisteredFinding),
});
type PlanReviewInput = z.infer<typeof PlanReviewInput>;

export const reviewPlan = defineFlow({ kind: "step", input: PlanReviewInput, returns: Reviewed, run: planReviewBy });

/** Both reviewers' verdicts on the plan as it is. */
export function* takePlanReviews(plan: PlanUnderReview): Flow<void> {
  const { rounds, review, cycles: cycle } = plan;
  const children = planReviewers.map((role) => ({ flow: "review-plan", name: role, input: inputFor(plan, role) }));
  plan.cycles += 1;
  yield* rounds.takeReviews({
    roles: planReviewers,
    *review() {
      const reviews = review.planOrder === "parallel" ? yield* all<Reviewed>(children) : yield* inTurn(children);
      return reviews.map((value) => ({ value }));
    },
    fact: (role, { verdict }, findings) => ({ type: "plan.reviewed", role, cycle, verdict, findings }),
  });
}

function* inTurn(children: readonly Parameters<typeof child>[0][]): Flow<readonly Reviewed[]> {
  const reviews: Reviewed[] = [];
  for (const step of children) reviews.push(yield* child<Reviewed>(step));
  return reviews;
}

function inputFor(plan: PlanUnderReview, role: PlanReviewInput["role"]): PlanReviewInput {
  const { job, draft, designPath, guidance, since, review, rounds } = plan;
  return {
    role,
    goal: job.goal,
    design: { path: designPath, text: job.design },
    plan: { path: job.path, text: draft.text },
    ...(job.part === undefined ? {} : { part: job.part }),
    ids: [...job.requirements.map(({ id }) => id), ...draft.plan.tasks.map(({ id }) => taskId(id))],
    guidance: [...guidance],
    since,
    blockOn: review.blockOnSeverity,
    register: [...rounds.register],
  };
}

const kinds = {
  architect: { name: "architect-review", prompt: architectReview },
  "spec-reviewer": { name: "plan-spec-review", prompt: planSpecReview },
} as const;

function* planReviewBy(input: PlanReviewInput): Flow<Reviewed> {
  const { role, blockOn, ids, plan, design, register } = input;
  const { name, prompt } = kinds[role];
  const since = input.since && { changes: input.since, open: openIn(register, role) };
  return yield* runReview({
    order: { step: `plan.review.${role}`, name, role, access: "read", prompt: prompt({ ...input, since }) },
    schema: Review,
    register,
    basis: {
      role,
      blockOn,
      ids,
      task: { files: [{ path: plan.path, change: "added" }], diff: "" },
      fix: input.since,
      sources: [design.path],
    },
  });
}
