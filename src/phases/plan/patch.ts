// A targeted revision of the plan. What the planner changed is compared by code, task by task, with what it was asked to
// change; a revision that goes further is undone as a whole. A planner may leave the plan as it is if it says what is wrong with
// each finding.

import { type Flow, write } from "../../core/flow/flow.ts";
import { taskId } from "../../core/plan/plan.ts";
import { changedTasks, leaveFor, overstepped, type PlanText } from "../../core/plan/revision.ts";
import { readWriterReport, type WriterReport, withClaims } from "../../core/plan/writer-report.ts";
import type { Diff } from "../../core/review/anchor.ts";
import type { Register } from "../../core/review/register.ts";
import { textDiff } from "../../core/text/text-diff.ts";
import { fixPlan, patchAgain, patchPlan, writePlan } from "../../prompts/plan.ts";
import { toFixText } from "../../prompts/task.ts";
import { warn } from "../work/consult.ts";
import { readKept } from "../work/documents.ts";
import { isAgentTriedAgain } from "../work/trouble.ts";
import type { PlanUnderReview } from "./reviewers.ts";
import { briefOf, draft, type PlanJob, plannerOrder, readBack, sendPlanner, written } from "./write.ts";

/** Why no revision was taken; empty when one was, or the planner disputes all that was found. */
export type Refusal = readonly string[];

/** Has everything that is open fixed, and what the person says done. */
export function* patch(plan: PlanUnderReview, guidance: string): Flow<Refusal> {
  const { job, draft: seen } = plan;
  const before = yield* asOnDisk(job, seen);
  const open = plan.rounds.open();
  const leave = leaveFor(
    open.map((entry) => entry.finding),
    guidance,
    { ...before, path: job.path },
  );
  const prompt = patchPlan({ ...job, decided: plan.guidance }, toFixText({ open }), guidance, leave);
  for (let tries = 1, next = prompt; ; tries++) {
    const { text, said } = yield* sendPlanner(job, plannerOrder("patch", next));
    const { report } = readWriterReport(said);
    if (text === before.text && isAllDisputed(open, report)) return take(plan, before, report, []);
    const after = readBack(job, text, before.text);
    const problems = "problems" in after ? after.problems : overstepped(before, after, leave);
    if (!("problems" in after) && problems.length === 0)
      return take(plan, yield* written(job.path, after), report, open);
    // What only cannot be read is kept and fixed; what went too far is undone.
    const isLast = !(yield* isAgentTriedAgain("parse-error", tries));
    const isKept = "problems" in after && text !== null && text !== before.text && !isLast;
    if (isKept) yield* warn(`The plan could not be used; the planner fixes it: ${problems.join(" ")}`);
    else yield* restorePlan(job, before, problems);
    if (isLast) {
      plan.draft = before;
      return problems;
    }
    next = isKept ? fixPlan(prompt, problems) : patchAgain(prompt, problems);
  }
}

/** A planner that holds all of it to be wrong leaves the plan as it is. */
function isAllDisputed(open: Register, { disputed }: WriterReport): boolean {
  return open.length > 0 && open.every((entry) => disputed.some(({ id }) => id === entry.id));
}

function take(plan: PlanUnderReview, after: PlanText, report: WriterReport, answered: Register): Refusal {
  plan.since = changeOf(plan.job.path, plan.draft, after);
  plan.answered = answered;
  plan.draft = after;
  plan.claims = withClaims(plan.claims, report);
  return [];
}

/**
 * The plan as it is now. A person may have edited it meanwhile: their words stand, as long as they can be read; otherwise
 * the planner fixes them.
 */
export function* asOnDisk(job: PlanJob, known: PlanText): Flow<PlanText> {
  const text = yield* readKept(job.path, known.text);
  if (text === known.text) return known;
  const now = readBack(job, text, null);
  if ("problems" in now) {
    yield* warn(`The plan was edited and cannot be used; the planner fixes it: ${now.problems.join(" ")}`);
    return yield* draft(job, "revise", fixPlan(writePlan(yield* briefOf(job)), now.problems));
  }
  if (JSON.stringify(now.plan) === JSON.stringify(known.plan)) return { text: now.text, plan: now.plan };
  return yield* written(job.path, now);
}

function changeOf(path: string, before: PlanText, after: PlanText): Diff {
  if (before.text === after.text) return { files: [], diff: "", ids: [] };
  const ids = changedTasks(before, after).map(taskId);
  return { files: [{ path, change: "modified" }], diff: textDiff(before.text, after.text), ids };
}

function* restorePlan(job: PlanJob, before: PlanText, problems: Refusal): Flow<void> {
  yield* write(job.path, before.text);
  yield* warn(`A revision of the plan was refused and undone: ${problems.join(" ")}`);
}
