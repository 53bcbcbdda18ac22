// What the person can do about the review of the whole. Nothing is recommended: every way out of it waives something
// or costs something.

import { ask, type Flow, fail } from "../core/flow.ts";
import type { Option } from "../core/question.ts";
import { describe, type Register } from "../core/register.ts";

/** Why the whole cannot be called good. */
export type Obstacle =
  | { readonly kind: "findings"; readonly open: Register }
  | { readonly kind: "inconclusive"; readonly summary: string }
  | { readonly kind: "validation"; readonly command: string; readonly output: string };

/** `rounds` is how many fixes were made so far. */
export function* whatToDo(obstacle: Obstacle, rounds: number): Flow<"fix" | "again" | "accept"> {
  const id = "finalize.fix";
  const choice = yield* ask({
    id,
    kind: "select",
    title: "Final Review",
    message: messageFor(obstacle, rounds),
    options: [obstacle.kind === "inconclusive" ? again : fix, acceptOf(obstacle), abort],
  });
  if (choice === "abort") fail({ kind: "aborted", step: id, detail: "the person ended the run at the final review" });
  if (choice === "accept" || choice === "again") return choice;
  return "fix";
}

const fix: Option = { key: "fix", label: "Fix", hint: "an implementer mends it, then it is reviewed again" };
const again: Option = { key: "again", label: "Review again" };
const abort: Option = { key: "abort", label: "Abort workflow" };

function acceptOf({ kind }: Obstacle): Option {
  const taken = kind === "validation" ? "takes the uncommitted fix back; " : "";
  return { key: "accept", label: "Accept", hint: `${taken}recorded as a waiver` };
}

function messageFor(obstacle: Obstacle, rounds: number): string {
  const after = rounds === 0 ? "" : ` after ${rounds === 1 ? "1 fix" : `${rounds} fixes`}`;
  switch (obstacle.kind) {
    case "findings":
      return [
        `The final review ${rounds === 0 ? "" : "still "}asks for changes${after}:`,
        ...obstacle.open.map((entry) => `  - ${describe(entry)}`),
      ].join("\n");
    case "inconclusive":
      return `The final review is inconclusive${after}. The reviewer does not pass the work, and names nothing that blocks.\nIt says: ${obstacle.summary}`;
    case "validation":
      return `The final fix fails validation${after}.\nLast output of \`${obstacle.command}\`:\n${obstacle.output.slice(-1000)}`;
  }
}
