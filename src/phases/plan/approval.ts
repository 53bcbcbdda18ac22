// The person reads the plan and approves it, has it revised, or ends the run. What is approved is what is on disk.

import { ask, type Flow, read } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { count } from "../../core/text/format.ts";
import { revisePlan } from "../../prompts/plan.ts";
import { type AbortableQuestion, askOrAbort, shortAbortOption } from "../work/ask.ts";
import { briefOf, draft, type PlanJob, readBack, type Unusable, written } from "./write.ts";

export function* agreeOnPlan(job: PlanJob, first: PlanText): Flow<PlanText> {
  let known = first;
  let problems: readonly string[] = [];
  for (;;) {
    const question = approvalQuestion(known.plan, job.path, problems);
    const choice = yield* askOrAbort(question, "the person did not want the plan");
    if (choice === "approve") {
      const found = yield* asApproved(job, known);
      if ("plan" in found) return found;
      problems = found.problems;
      continue;
    }
    const feedback = yield* ask(feedbackQuestion);
    if (feedback.trim() === "") continue;
    // Code checks the new plan; reviewers do not. They are there to help the person decide, and the person has decided:
    // another review would cost money to argue with it, and the plan is shown again before it is approved.
    known = yield* draft(job, "revise", revisePlan(yield* briefOf(job), feedback));
    problems = [];
  }
}

/** The plan as it stands in its file, which the person may have edited while the question was open. */
function* asApproved(job: PlanJob, known: PlanText): Flow<PlanText | Unusable> {
  const text = yield* read(job.path);
  if (text === known.text) return known;
  const now = readBack(job, text, null);
  return "problems" in now ? now : yield* written(job.path, now);
}

function approvalQuestion({ tasks }: Plan, path: string, problems: readonly string[]): AbortableQuestion {
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

const feedbackQuestion: Question = {
  id: "plan.feedback",
  kind: "editor",
  title: "Revise the plan",
  message: "What should change?",
  prefill: "",
};
