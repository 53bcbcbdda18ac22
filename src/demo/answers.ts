// What the scripted person of the demo answers, by question id, in the form of an answers file. A list serves a
// question that is asked again: the second section of the design is turned down once.

import { approaches, clientFeedback } from "./scenario/brainstorm-texts.ts";

export const demoAnswers: Readonly<Record<string, string | readonly string[]>> = {
  "triage.mode": "standard",
  "brainstorm.question.1": "Answer 429 with retry-after",
  "brainstorm.question.2": "In memory, per process",
  "brainstorm.question.3": "60 requests per minute",
  "brainstorm.approach": approaches.recommendation,
  "brainstorm.section.1": "yes",
  "brainstorm.section.2": ["no", "yes"],
  "brainstorm.section.2.feedback": clientFeedback,
  "brainstorm.section.3": "yes",
  "plan.approval": "approve",
  "configure.execution": "Auto (run all tasks)",
  "configure.review": "Iterative (review-fix loop until pass)",
  "finalize.docs": "no",
};
