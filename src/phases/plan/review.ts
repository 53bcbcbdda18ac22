// The plan is reviewed and revised until its reviewers have nothing against it or the person decides, if the mode has
// reviewers for it; then the person approves it. An approved plan is committed together with its design.

import { z } from "zod";
import { ask, config, type Flow, type Flows, fail, record } from "../../core/flow/flow.ts";
import type { PlanText } from "../../core/plan/diff.ts";
import { Plan } from "../../core/plan/plan.ts";
import {
  afterFix,
  deferredIn,
  describe,
  letThrough,
  openIn,
  waivedIn,
  withNewChance,
} from "../../core/review/register.ts";
import { mayFix } from "../../core/review/rounds.ts";
import { ceremonies, settingsIn } from "../../core/run/ceremony.ts";
import { inShort } from "../../core/run/document-paths.ts";
import { noRemarks, PlanRemarks } from "../../core/run/report.ts";
import { warn } from "../work/consult.ts";
import { commitDocuments } from "../work/documents.ts";
import type { Reviewed } from "../work/review.ts";
import { agreeOnPlan } from "./approval.ts";
import { look, reviewPlan } from "./look.ts";
import { asOnDisk, patch, type Refusal } from "./patch.ts";
import { guidanceQuestion, reviewQuestion } from "./questions.ts";
import { openDesk, type PlanUnderReview, planReviewers } from "./under-review.ts";
import type { PlanJob } from "./write.ts";

/** The flows this phase starts by name. */
export const planFlows: Flows = { "review-plan": reviewPlan };

/** The plan that was approved, its document, and what it was approved with. */
export const AgreedPlan = z.object({ plan: Plan, text: z.string(), remarks: PlanRemarks });
export type AgreedPlan = z.infer<typeof AgreedPlan>;

export function* planReview(job: PlanJob, plan: Plan, designPath: string): Flow<AgreedPlan> {
  const draft = yield* asOnDisk(job, { plan });
  const passed = ceremonies[job.mode].planReview
    ? yield* reviewed(job, draft, designPath)
    : { draft, remarks: noRemarks };
  const approved = yield* agreeOnPlan(job, passed.draft);
  yield* record({ type: "plan.approved" });
  yield* commitDocuments({
    step: "plan",
    name: "documents",
    message: planSubject(job),
    documents: [designPath, job.path],
  });
  return { ...approved, remarks: passed.remarks };
}

function planSubject({ goal, part }: PlanJob): string {
  if (part === undefined) return `workflow: design and plan — ${inShort(goal)}`;
  return `workflow: ${part.number === 1 ? "design and plan" : "plan"} of part ${part.number} — ${inShort(part.title)}`;
}

/** A cycle is one look and one revision. The rounds bound them, and beyond those only the person grants more. */
function* reviewed(
  job: PlanJob,
  draft: PlanText,
  designPath: string,
): Flow<{ readonly draft: PlanText; readonly remarks: PlanRemarks }> {
  const { review } = settingsIn(job.mode, yield* config());
  const desk = openDesk({ job, designPath, review, draft });
  for (let cycle = 0; ; cycle++) {
    const reviews = yield* look(desk, cycle);
    if (mayPass(desk, reviews) || !(yield* improve(desk, reviews))) break;
  }
  yield* tellLetThrough(desk);
  const deferred = deferredIn(desk.register).map((entry) => `${describe(entry)} (${entry.reason})`);
  if (deferred.length > 0) yield* record({ type: "findings.deferred", task: "plan", findings: deferred });
  return { draft: desk.draft, remarks: { waivers: [...desk.waivers], deferred } };
}

/** In a single pass, what is not critical is let through; that a reviewer cannot make up its mind is never enough. */
function mayPass(desk: PlanUnderReview, reviews: readonly Reviewed[]): boolean {
  if (desk.review.planMode === "iterative") return reviews.every(({ verdict }) => verdict === "approved");
  desk.register = letThrough(desk.register, "single-pass review");
  return openIn(desk.register).length === 0 && reviews.every(({ verdict }) => verdict !== "inconclusive");
}

function* tellLetThrough(desk: PlanUnderReview): Flow<void> {
  const findings = waivedIn(desk.register).map((entry) => `${describe(entry)} (${entry.role})`);
  if (findings.length === 0) return;
  for (const finding of findings) yield* warn(`The plan, let through by single-pass review: ${finding}`);
  const what = `single-pass review let through: ${findings.join("; ")}`;
  yield* record({ type: "waiver", step: "plan.review", what: `the plan: ${what}` });
  desk.waivers = [...desk.waivers, what];
}

/** One revision; false when the person takes the plan as it is instead. */
function* improve(desk: PlanUnderReview, reviews: readonly Reviewed[]): Flow<boolean> {
  const rounds = { used: desk.used, limit: desk.review.maxPlanReviewCycles };
  const isOpen = openIn(desk.register).length > 0;
  if (desk.review.planMode === "single-pass" || !isOpen || !mayFix(rounds, desk.register))
    return yield* decide(desk, reviews, []);
  const refusal = yield* patch(desk, "");
  if (refusal.length > 0) return yield* decide(desk, reviews, refusal);
  return revised(desk);
}

/** The person decides what becomes of a plan that its reviewers do not pass. Returns whether it was revised. */
function* decide(desk: PlanUnderReview, reviews: readonly Reviewed[], refusal: Refusal): Flow<boolean> {
  let words = "";
  for (let refused = refusal; ; ) {
    const choice = yield* ask(reviewQuestion(desk, reviews, refused));
    if (choice === "abort")
      fail({ kind: "aborted", step: "plan.review", detail: "the person ended the run at the review of the plan" });
    if (choice === "approve") return yield* waive(desk, reviews);
    const more = (yield* ask(guidanceQuestion)).trim();
    if (more === "") continue;
    words = words === "" ? more : `${words}\n\n${more}`;
    desk.register = withNewChance(desk.register);
    desk.used = 0;
    refused = yield* patch(desk, words);
    if (refused.length > 0) continue;
    desk.guidance = [...desk.guidance, words];
    return revised(desk);
  }
}

/** What was found before is void; what is still open has had one more chance. */
function revised(desk: PlanUnderReview): true {
  desk.used += 1;
  desk.revisions += 1;
  for (const role of planReviewers) desk.register = afterFix(desk.register, role);
  return true;
}

function* waive(desk: PlanUnderReview, reviews: readonly Reviewed[]): Flow<false> {
  const open = openIn(desk.register).map(describe);
  const doubts = reviews.filter(({ verdict }) => verdict === "inconclusive").map(({ summary }) => summary);
  const what = `the plan was approved as it is, against its reviewers: ${[...open, ...doubts].join("; ")}`;
  yield* record({ type: "waiver", step: "plan.review", what });
  desk.waivers = [...desk.waivers, what];
  return false;
}
