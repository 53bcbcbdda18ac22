// The person reads the plan and approves it, has it revised, or ends the run. What is approved is what is on disk.

import { ask, type Flow, write } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Plan } from "../../core/plan/plan.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { count } from "../../core/text/format.ts";
import { revisePlan } from "../../prompts/plan.ts";
import { type AbortableQuestion, askOrAbort, shortAbortOption } from "../work/ask.ts";
import { readKept } from "../work/documents.ts";
import { briefOf, type PlanJob, readBack, tryDraft, type Unusable, written } from "./write.ts";

export function* agreeOnPlan(job: PlanJob, first: PlanText): Flow<PlanText> {
  let known = first;
  let trouble = none;
  for (;;) {
    const question = approvalQuestion(known.plan, job.path, trouble);
    const choice = yield* askOrAbort(question, "the person did not want the plan");
    if (choice === "approve") {
      const found = yield* asApproved(job, known);
      if ("plan" in found) return found;
      trouble = { ...found, heading: `${job.path} was edited and cannot be used:`, advice: mend };
      continue;
    }
    const feedback = yield* ask(feedbackQuestion);
    if (feedback.trim() === "") continue;
    // Code checks the new plan; reviewers do not. They are there to help the person decide, and the person has decided:
    // another review would cost money to argue with it, and the plan is shown again before it is approved.
    const revised = yield* revise(job, known, feedback);
    if ("plan" in revised) known = revised;
    trouble =
      "plan" in revised
        ? none
        : { ...revised, heading: "The planner's revision could not be used, so the plan is as it was:" };
  }
}

/** A plan that was there to be approved stays so, whatever becomes of its revision. */
function* revise(job: PlanJob, known: PlanText, feedback: string): Flow<PlanText | Unusable> {
  const before = yield* readKept(job.path, known.text);
  const firstPrompt = revisePlan(yield* briefOf(job), feedback);
  const revised = yield* tryDraft(job, { name: "revise", firstPrompt, before });
  if ("problems" in revised) yield* write(job.path, before);
  return revised;
}

/** Why the plan cannot be approved as the person wanted it. */
interface PlanTrouble extends Unusable {
  readonly heading: string;
  readonly advice?: string;
}

const none: PlanTrouble = { problems: [], heading: "" };

/** The plan as it stands in its file, which the person may have edited while the question was open. */
function* asApproved(job: PlanJob, known: PlanText): Flow<PlanText | Unusable> {
  const text = yield* readKept(job.path, known.text);
  if (text === known.text) return known;
  const now = readBack(job, text, null);
  return "problems" in now ? now : yield* written(job.path, now);
}

const mend = "Mend the file and approve again, or have it revised.";

function approvalQuestion({ tasks }: Plan, path: string, trouble: PlanTrouble): AbortableQuestion {
  const titles = tasks.map((task) => `  ${task.id}. ${task.title}`);
  const { problems, heading, advice } = trouble;
  const told = [heading, ...problems.map((why) => `- ${why}`), ...(advice === undefined ? [] : [advice]), ""];
  return {
    id: "plan.approval",
    title: "Plan Approval",
    message: [
      ...(problems.length === 0 ? [] : told),
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
