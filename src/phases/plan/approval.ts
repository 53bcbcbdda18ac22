// The person reads the plan and approves it, has it revised, or ends the run. What is approved is what is on disk.

import { ask, type Flow, read } from "../../core/flow/flow.ts";
import type { PlanText } from "../../core/plan/revision.ts";
import { revisePlan } from "../../prompts/plan.ts";
import { askOrAbort } from "../work/ask.ts";
import { approvalQuestion, feedbackQuestion } from "./questions.ts";
import { briefOf, draft, type PlanJob, readBack, written } from "./write.ts";

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
    // another review would cost money to argue with it, and the plan is shown again before it counts.
    known = yield* draft(job, "revise", revisePlan(yield* briefOf(job), feedback));
    problems = [];
  }
}

/** The plan as it stands in its file, which the person may have edited while the question was open. */
function* asApproved(job: PlanJob, known: PlanText): Flow<PlanText | { readonly problems: readonly string[] }> {
  const text = yield* read(job.path);
  if (text === known.text) return known;
  const reading = readBack(job, { text, before: null, numbering: "kept" });
  if (!reading.ok) return { problems: reading.problems };
  return yield* written(job.path, { text: text ?? "", plan: reading.plan });
}
