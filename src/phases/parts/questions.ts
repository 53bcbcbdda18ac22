// What the person is asked between two parts.

import { abortOption, type Question } from "../../core/flow/question.ts";
import type { Reassessment, WorkPart } from "../../core/plan/parts.ts";
import type { Settled } from "../../core/run/report.ts";
import { count } from "../../core/text/format.ts";

/** `part` comes next. Going on is recommended only where the scout has no doubt about it. */
export function nextPartQuestion(part: WorkPart, done: readonly Settled[], outlook: Reassessment): Question {
  const complete = done.filter(({ status }) => status === "complete").length;
  return {
    id: `part.${part.number - 1}.next`,
    kind: "select",
    title: "Next Part",
    message: [
      `Part ${part.number - 1} of ${part.of} is done; so far ${complete} of ${count(done.length, "task")} complete.`,
      `Next: part ${part.number}, ${part.title}: ${part.scope}`,
      `The scout, on what is left ${outlook.holds ? "(it still holds)" : "(it no longer holds as it is)"}: ${outlook.reassessment}`,
    ].join("\n"),
    options: [
      { key: "continue", label: "Continue", hint: "plan the next part" },
      { key: "end", label: "End here", hint: "review and finish what is done; the rest is left" },
      abortOption,
    ],
    ...(outlook.holds ? { recommended: "continue" } : {}),
  };
}
