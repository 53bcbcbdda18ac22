// A targeted revision of the plan. What the planner changed is compared by code, task by task, with what it was asked to
// change; a revision that goes further is undone as a whole.

import { type Flow, write } from "../../core/flow/flow.ts";
import { taskId } from "../../core/plan/plan.ts";
import { changedTasks, leaveFor, overstepped, type PlanText } from "../../core/plan/revision.ts";
import type { Diff } from "../../core/review/anchor.ts";
import { textDiff } from "../../core/text/text-diff.ts";
import { fixPlan, patchAgain, patchPlan, writePlan } from "../../prompts/plan.ts";
import { findingsText } from "../../prompts/task.ts";
import { warn } from "../work/consult.ts";
import { readKept } from "../work/documents.ts";
import { isAgentTriedAgain } from "../work/trouble.ts";
import type { PlanUnderReview } from "./reviewers.ts";
import { briefOf, draft, type PlanJob, plannerOrder, readBack, sendPlanner, written } from "./write.ts";

/** Why no revision was taken; empty when one was. */
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
  const prompt = patchPlan({ ...job, decided: plan.guidance }, findingsText(open), guidance, leave);
  for (let tries = 1, next = prompt; ; tries++) {
    const { text } = yield* sendPlanner(job, plannerOrder("patch", next));
    const after = readBack(job, text, before.text);
    const problems = "problems" in after ? after.problems : overstepped(before, after, leave);
    if (!("problems" in after) && problems.length === 0) {
      plan.draft = yield* written(job.path, after);
      plan.since = changeOf(job.path, seen, after);
      return [];
    }
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
  const ids = changedTasks(before, after).map(taskId);
  return { files: [{ path, change: "modified" }], diff: textDiff(before.text, after.text), ids };
}

function* restorePlan(job: PlanJob, before: PlanText, problems: Refusal): Flow<void> {
  yield* write(job.path, before.text);
  yield* warn(`A revision of the plan was refused and undone: ${problems.join(" ")}`);
}
