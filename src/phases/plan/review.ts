// The plan is reviewed and revised until its reviewers have nothing against it or the person decides, if the mode has
// reviewers for it; then the person approves it. An approved plan is committed together with its design.

import type { z } from "zod";
import { ask, config, type Flow, record } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { PlanText } from "../../core/plan/revision.ts";
import type { Receipt } from "../../core/review/receipts.ts";
import { describe, describeWithRole, standingIn } from "../../core/review/register.ts";
import { ceremonies, planReviewers } from "../../core/run/ceremony.ts";
import { inShort } from "../../core/run/document-paths.ts";
import { settingsIn } from "../../core/run/mode-settings.ts";
import { noRemarks, PlanRemarks } from "../../core/run/report.ts";
import { count } from "../../core/text/format.ts";
import { type AbortableQuestion, shortAbortOption } from "../work/ask.ts";
import { warn } from "../work/consult.ts";
import { commitDocuments, fateOfDocuments, readKept } from "../work/documents.ts";
import { type About, withSides } from "../work/escalation.ts";
import { escalate } from "../work/respond.ts";
import type { Decision } from "../work/review-rounds.ts";
import { agreeOnPlan, type JudgedPlan } from "./approval.ts";
import { asOnDisk, patch, type Refusal } from "./patch.ts";
import { type PlanUnderReview, startPlanReview, takePlanReviews } from "./reviewers.ts";
import type { PlanJob } from "./write.ts";

/** The plan that was approved, its document, and what it was approved with. */
export const AgreedPlan = PlanText.extend({ remarks: PlanRemarks });
export type AgreedPlan = z.infer<typeof AgreedPlan>;

export function* planReview(job: PlanJob, written: PlanText, designPath: string): Flow<AgreedPlan> {
  const draft = yield* asOnDisk(job, written);
  const passed = ceremonies[job.mode].planReview
    ? yield* reviewed(job, draft, designPath)
    : { draft, verdicts: [], remarks: noRemarks };
  const approved = yield* agreeOnPlan(job, passed);
  yield* record({ type: "plan.approved" });
  yield* readKept(designPath, job.design);
  if ((yield* fateOfDocuments(job.mode)) === "committed")
    yield* commitDocuments("plan", planSubject(job), [designPath, job.path]);
  return { ...approved, remarks: passed.remarks };
}

function planSubject({ goal, part }: PlanJob): string {
  if (part === undefined) return `workflow: design and plan — ${inShort(goal)}`;
  return `workflow: ${part.number === 1 ? "design and plan" : "plan"} of part ${part.number} — ${inShort(part.title)}`;
}

/** The reviewers do not pass the plan. Where a revision was refused: why, and the guidance it had. */
interface Unpassed {
  readonly refused: Refusal;
  readonly guidance: string;
}

/** A fix is a revision of the plan, by what is open and by the person's guidance, if there is any. */
function* reviewed(job: PlanJob, draft: PlanText, designPath: string): Flow<JudgedPlan> {
  const { review } = settingsIn(job.mode, yield* config());
  const plan = startPlanReview({ job, designPath, review, draft });
  const { rounds } = plan;
  return yield* rounds.run<Unpassed, string, JudgedPlan>({
    judge: () => judge(plan),
    fixableAlone: ({ refused }) => (rounds.open().length > 0 && refused.length === 0 ? "" : undefined),
    aboutOf: (obstacle) => aboutOf(plan, obstacle),
    fix: (guidance) => revise(plan, guidance),
    decide: (obstacle) => decide(plan, obstacle),
    grantsRounds: () => true,
  });
}

function* judge(plan: PlanUnderReview): Flow<Unpassed | { readonly end: JudgedPlan }> {
  yield* takePlanReviews(plan);
  if (plan.rounds.obstacleOf(planReviewers)) return { refused: [], guidance: "" };
  return { end: yield* finish(plan, []) };
}

function* revise(plan: PlanUnderReview, guidance: string): Flow<Unpassed | undefined> {
  const refused = yield* patch(plan, guidance);
  if (refused.length > 0) return { refused, guidance };
  if (guidance !== "") plan.guidance = [...plan.guidance, guidance];
  const changed = plan.since?.files.map(({ path }) => path) ?? [];
  if (changed.length > 0) plan.revisions += 1;
  plan.rounds.countFix(planReviewers, { changed, disputed: plan.claims.disputed });
  return undefined;
}

/** Guidance that came to nothing is repeated with what the person adds to it. Claims that were shown are findings like any from then on. */
function* decide(plan: PlanUnderReview, { refused, guidance }: Unpassed): Flow<Decision<Unpassed, string, JudgedPlan>> {
  for (;;) {
    const question = reviewQuestion(plan, refused);
    const { matter } = aboutOf(plan, { refused, guidance });
    const choice = yield* escalate(matter, question, { ended: "the person ended the run at the review of the plan" });
    plan.rounds.decideClaims("open");
    if (choice === "approve") return { end: yield* waive(plan) };
    const more = (yield* ask(guidanceQuestion)).trim();
    if (more !== "") return { fix: guidance === "" ? more : `${guidance}\n\n${more}` };
  }
}

function aboutOf({ rounds }: PlanUnderReview, { refused }: Unpassed): About {
  if (refused.length > 0) return { matter: "revision-refused", of: "" };
  return { matter: rounds.open().length > 0 ? "review-max-retries" : "review-inconclusive", of: "" };
}

function* waive(plan: PlanUnderReview): Flow<JudgedPlan> {
  const open = plan.rounds.open().map(describe);
  const doubts = plan.rounds.doubtsOf(planReviewers).map(({ summary }) => summary);
  const what = `the plan was approved as it is, against its reviewers: ${[...open, ...doubts].join("; ")}`;
  yield* record({ type: "waiver", step: "plan.review", what });
  return yield* finish(plan, [what]);
}

function* finish({ draft, rounds }: PlanUnderReview, waivers: readonly string[]): Flow<JudgedPlan> {
  for (const entry of standingIn(rounds.register, "waived"))
    yield* warn(`The plan, let through by single-pass review: ${describeWithRole(entry)}`);
  const waived = yield* rounds.recordWaived("plan.review", "the plan");
  const deferred = yield* rounds.recordDeferred("plan", ({ reason }) => reason);
  const verdicts = rounds.receipts.map(({ judge, verdict }) => ({ role: judge, verdict }));
  return { draft, verdicts, remarks: { waivers: [...waivers, ...waived], deferred } };
}

/** Nothing is recommended: every answer but the guidance gives something up. */
function reviewQuestion(
  { job, rounds, revisions, claims: { disputed } }: PlanUnderReview,
  refused: Refusal,
): AbortableQuestion {
  const claims = rounds.claimsOf(planReviewers)?.claims ?? [];
  const isRefused = rounds.objectionOf(planReviewers) !== undefined || refused.length > 0;
  return {
    id: "plan.review",
    title: "Plan Review",
    message: [
      ...(isRefused
        ? [
            revisions === 0
              ? "The reviewers do not pass the plan."
              : `After ${count(revisions, "revision")} the reviewers still do not pass the plan.`,
          ]
        : []),
      ...withSides(rounds.open(), { disputed, writer: "planner" }).map((line) => line.replace(/^ {2}/, "")),
      ...rounds.doubtsOf(planReviewers).map(doubt),
      ...(claims.length === 0
        ? []
        : ["A reviewer reports a serious problem without saying where in the plan or the design:"]),
      ...claims.map((entry) => `- ${describe(entry)} (${entry.role}; ${entry.reason})`),
      ...(refused.length === 0
        ? []
        : ["The planner's last revisions were refused:", ...refused.map((why) => `- ${why}`)]),
      `In full: ${job.path}`,
    ].join("\n"),
    options: [
      { key: "approve", label: "Approve as-is", hint: "continue despite the findings; the report will say so" },
      { key: "guidance", label: "Provide guidance", hint: "tell the planner what to do; the plan is reviewed again" },
    ],
    abort: shortAbortOption,
  };
}

function doubt({ judge, summary }: Receipt): string {
  return `- ${judge} says no, but gives no finding that blocks: ${summary}`;
}

const guidanceQuestion: Question = {
  id: "plan.review.guidance",
  kind: "editor",
  title: "Guide the planner",
  message:
    "What should the planner do? Name the tasks to change, such as task 2, or any may change. (Leave it empty to go back.)",
  prefill: "",
};
