// The person reads the plan and approves it, has it revised, or ends the run. An approved plan is committed together
// with its design.

import { ask, type Flow, fail, record } from "../core/flow.ts";
import type { Plan } from "../core/plan.ts";
import type { Question } from "../core/question.ts";
import { inShort } from "../core/slug.ts";
import { revisePlan } from "../prompts/plan.ts";
import { commitDocuments } from "./documents.ts";
import { draft, type PlanJob } from "./plan-write.ts";

export function* planReview(job: PlanJob, plan: Plan, designPath: string): Flow<Plan> {
  const approved = yield* agreeOnPlan(job, plan);
  yield* record({ type: "plan.approved" });
  yield* commitDocuments({
    step: "plan",
    name: "documents",
    message: `workflow: design and plan — ${inShort(job.goal)}`,
    documents: [designPath, job.path],
  });
  return approved;
}

function* agreeOnPlan(job: PlanJob, first: Plan): Flow<Plan> {
  for (let plan = first; ; ) {
    const choice = yield* ask(approval(plan, job.path));
    if (choice === "approve") return plan;
    if (choice === "abort")
      fail({ kind: "aborted", step: "plan.approval", detail: "the person did not want the plan" });
    const feedback = yield* ask(feedbackQuestion);
    if (feedback.trim() !== "") plan = yield* draft(job, "revise", revisePlan(job, feedback));
  }
}

function approval({ tasks }: Plan, path: string): Question {
  const titles = tasks.map((task) => `  ${task.id}. ${task.title}`);
  return {
    id: "plan.approval",
    kind: "select",
    title: "Plan Approval",
    message: [`Plan has ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}:`, ...titles, `In full: ${path}`].join(
      "\n",
    ),
    options: [
      { key: "approve", label: "Approve" },
      { key: "revise", label: "Revise (provide feedback)" },
      { key: "abort", label: "Abort" },
    ],
    recommended: "approve",
  };
}

const feedbackQuestion: Question = {
  id: "plan.feedback",
  kind: "editor",
  title: "Revise the plan",
  message: "What should change?",
  prefill: "",
};
