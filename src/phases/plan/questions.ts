// The questions about a plan, as the person sees them.

import type { Question } from "../../core/flow/question.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { describe, openIn } from "../../core/review/register.ts";
import type { Reviewed } from "../work/review.ts";
import type { Refusal } from "./patch.ts";
import { type PlanUnderReview, planReviewers } from "./under-review.ts";

/** Nothing is recommended: every answer but the guidance gives something up. */
export function reviewQuestion(desk: PlanUnderReview, reviews: readonly Reviewed[], refused: Refusal): Question {
  return {
    id: "plan.review",
    kind: "select",
    title: "Plan Review",
    message: [
      `The reviewers do not pass the plan after ${count(desk.revisions, "revision")}.`,
      ...openIn(desk.register).map((entry) => `- ${describe(entry)}`),
      ...reviews.flatMap(doubt),
      ...(refused.length === 0
        ? []
        : ["The planner's last revisions were refused:", ...refused.map((why) => `- ${why}`)]),
      `In full: ${desk.job.path}`,
    ].join("\n"),
    options: [
      { key: "approve", label: "Approve as-is", hint: "go on with what was found; the report will say so" },
      { key: "guidance", label: "Provide guidance", hint: "tell the planner what to do; the plan is reviewed again" },
      { key: "abort", label: "Abort" },
    ],
  };
}

function doubt({ verdict, summary }: Reviewed, index: number): readonly string[] {
  if (verdict !== "inconclusive") return [];
  return [`- ${planReviewers[index]} says no, but names nothing that blocks: ${summary}`];
}

export const guidanceQuestion: Question = {
  id: "plan.review.guidance",
  kind: "editor",
  title: "Guide the planner",
  message: "What should the planner do? Name the tasks that are to change (task 2); without a name, all may.",
  prefill: "",
};

export function approvalQuestion({ tasks }: Plan, path: string, problems: readonly string[]): Question {
  const titles = tasks.map((task) => `  ${task.id}. ${task.title}`);
  const edited = [`${path} was edited and cannot be used:`, ...problems.map((why) => `- ${why}`)];
  return {
    id: "plan.approval",
    kind: "select",
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
      { key: "abort", label: "Abort" },
    ],
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

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
