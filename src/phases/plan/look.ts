// One look at the plan by each of its reviewers, side by side or one after the other. Whoever ends first, their findings
// are taken in a fixed order, so that the same findings always get the same ids.

import { z } from "zod";
import { all, child, defineFlow, type Flow, record } from "../../core/flow/flow.ts";
import { PlanScope } from "../../core/plan/parts.ts";
import { taskId } from "../../core/plan/plan.ts";
import { describe, joined, openIn, RegisteredFinding } from "../../core/review/register.ts";
import { Review } from "../../core/review/review.ts";
import { severities } from "../../core/run/config.ts";
import { architectReview, planSpecReview } from "../../prompts/plan-review.ts";
import { hold, Reviewed } from "../work/review.ts";
import { type PlanUnderReview, planReviewers } from "./under-review.ts";

const Quoted = z.object({ path: z.string(), text: z.string() });

const PlanLook = z.object({
  role: z.enum(planReviewers),
  goal: z.string(),
  design: Quoted,
  plan: Quoted,
  part: PlanScope.optional(),
  /** Requirements and tasks, by which findings may be anchored. */
  ids: z.array(z.string()),
  guidance: z.array(z.string()),
  /** What was revised since the last look; null at the first. */
  since: z
    .object({
      files: z.array(z.object({ path: z.string(), change: z.enum(["added", "modified", "deleted"]) })),
      diff: z.string(),
      ids: z.array(z.string()),
    })
    .nullable(),
  blockOn: z.enum(severities),
  register: z.array(RegisteredFinding),
});
type PlanLook = z.infer<typeof PlanLook>;

export const reviewPlan = defineFlow({ kind: "step", input: PlanLook, returns: Reviewed, run: lookAtPlan });

/** Both reviewers' verdicts on the plan as it is, entered in the desk's register. */
export function* look(desk: PlanUnderReview, cycle: number): Flow<readonly Reviewed[]> {
  const children = planReviewers.map((role) => ({ flow: "review-plan", name: role, input: lookOf(desk, role) }));
  const reviews = desk.review.planOrder === "parallel" ? yield* all<Reviewed>(children) : yield* inTurn(children);
  const given = desk.register.length;
  for (const [index, role] of planReviewers.entries()) {
    const review = reviews[index];
    if (!review) continue;
    desk.register = joined(desk.register, review.register, { role, given });
    const findings = openIn(desk.register, role).map(describe);
    yield* record({ type: "plan.reviewed", role, cycle, verdict: review.verdict, findings });
  }
  return reviews;
}

function* inTurn(children: readonly Parameters<typeof child>[0][]): Flow<readonly Reviewed[]> {
  const reviews: Reviewed[] = [];
  for (const step of children) reviews.push(yield* child<Reviewed>(step));
  return reviews;
}

function lookOf({ job, draft, ...desk }: PlanUnderReview, role: PlanLook["role"]): PlanLook {
  return {
    role,
    goal: job.goal,
    design: { path: desk.designPath, text: job.design },
    plan: { path: job.path, text: draft.text },
    ...(job.part === undefined ? {} : { part: job.part }),
    ids: [...job.requirements.map(({ id }) => id), ...draft.plan.tasks.map(({ id }) => taskId(id))],
    guidance: [...desk.guidance],
    since: desk.since,
    blockOn: desk.review.blockOnSeverity,
    register: [...desk.register],
  };
}

const kinds = {
  architect: { name: "architect-review", prompt: architectReview },
  "spec-reviewer": { name: "plan-spec-review", prompt: planSpecReview },
} as const;

function* lookAtPlan(input: PlanLook): Flow<Reviewed> {
  const { role, blockOn, ids, plan, design, register } = input;
  const { name, prompt } = kinds[role];
  const since = input.since && { changes: input.since, open: openIn(register, role) };
  return yield* hold({
    order: { step: `plan.review.${role}`, name, role, access: "read", prompt: prompt({ ...input, since }) },
    schema: Review,
    register,
    bench: {
      role,
      blockOn,
      ids,
      task: { files: [{ path: plan.path, change: "added" }], diff: "" },
      fix: input.since,
      sources: [design.path],
    },
  });
}
