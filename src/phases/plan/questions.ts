// The questions about a plan, as the person sees them.

import type { Question } from "../../core/flow/question.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { Receipt } from "../../core/review/receipts.ts";
import { describe } from "../../core/review/register.ts";
import { planReviewers } from "../../core/run/ceremony.ts";
import { count } from "../../core/text/format.ts";
import { type AbortableQuestion, shortAbortOption } from "../work/ask.ts";
import type { Refusal } from "./patch.ts";
import type { PlanUnderReview } from "./reviewers.ts";

/** Nothing is recommended: every answer but the guidance gives something up. */
export function reviewQuestion({ job, rounds, revisions }: PlanUnderReview, refused: Refusal): AbortableQuestion {
  return {
    id: "plan.review",
    title: "Plan Review",
    message: [
      `The reviewers do not pass the plan after ${count(revisions, "revision")}.`,
      ...rounds.open().map((entry) => `- ${describe(entry)}`),
      ...rounds.doubtsOf(planReviewers).map(doubt),
      ...(refused.length === 0
        ? []
        : ["The planner's last revisions were refused:", ...refused.map((why) => `- ${why}`)]),
      `In full: ${job.path}`,
    ].join("\n"),
    options: [
      { key: "approve", label: "Approve as-is", hint: "go on with what was found; the report will say so" },
      { key: "guidance", label: "Provide guidance", hint: "tell the planner what to do; the plan is reviewed again" },
    ],
    abort: shortAbortOption,
  };
}

function doubt({ judge, summary }: Receipt): string {
  return `- ${judge} says no, but names nothing that blocks: ${summary}`;
}

export const guidanceQuestion: Question = {
  id: "plan.review.guidance",
  kind: "editor",
  title: "Guide the planner",
  message: "What should the planner do? Name the tasks that are to change (task 2); without a name, all may.",
  prefill: "",
};

export function approvalQuestion({ tasks }: Plan, path: string, problems: readonly string[]): AbortableQuestion {
  const titles = tasks.map((task) => `  ${task.id}. ${task.title}`);
  const edited = [`${path} was edited and cannot be used:`, ...problems.map((why) => `- ${why}`)];
  return {
    id: "plan.approval",
    title: "Plan Approval",
    message: [
      ...(problems.length === 0 ? [] : [...edited, "Mend the file and approve again, or have it revised.", ""]),
      `Plan has ${count(tasks.length, "task")}:`,
      ...titles,
      `In full: ${path}. You may change it there first: what it says when you approve is what is built.`,
    ].join("\n"),
    options: [
      { key: "approve", label: "Approve" },
      { key: "revise", label: "Revise (provide feedback)" },
    ],
    abort: shortAbortOption,
    ...(problems.length === 0 ? { recommended: "approve" } : {}),
  };
}

export const feedbackQuestion: Question = {
  id: "plan.feedback",
  kind: "editor",
  title: "Revise the plan",
  message: "What should change?",
  prefill: "",
};
