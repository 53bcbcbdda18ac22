// What the person can do about the review of the whole. Nothing is recommended: every way out of it waives something
// or costs something.

import { ask, type Flow, fail } from "../../core/flow/flow.ts";
import type { Option, Question } from "../../core/flow/question.ts";
import { describe, type Register } from "../../core/review/register.ts";
import { endedAfter, type Trouble } from "../work/trouble.ts";

/** Why the whole cannot be called good. */
export type WholeObstacle =
  | { readonly kind: "findings"; readonly open: Register }
  | { readonly kind: "inconclusive"; readonly summary: string }
  | { readonly kind: "validation"; readonly command: string; readonly output: string }
  /** Somebody changed the tree after a fix was checked. */
  | { readonly kind: "moved" }
  /** The implementer could not be brought to fix it. */
  | { readonly kind: "agent"; readonly trouble: Trouble; readonly again: () => Flow<WholeObstacle | undefined> };

/** `rounds` is how many fixes were made so far. */
export function* whatToDo(obstacle: WholeObstacle, rounds: number): Flow<"fix" | "again" | "accept"> {
  const question = questionFor(obstacle, rounds);
  const choice = yield* ask(question);
  if (choice === "abort") fail({ kind: "aborted", step: question.id, detail: endingAt(obstacle) });
  if (choice === "accept" || choice === "again") return choice;
  return choice === "retry" ? "again" : "fix";
}

function questionFor(obstacle: WholeObstacle, rounds: number): Question {
  if (obstacle.kind === "agent") {
    const { id, title, message } = obstacle.trouble;
    return { kind: "select", id, title, message, options: [retry, acceptOf(obstacle), abort] };
  }
  return {
    id: "finalize.fix",
    kind: "select",
    title: "Final Review",
    message: messageFor(obstacle, rounds),
    options: [firstOf(obstacle), acceptOf(obstacle), abort],
  };
}

function endingAt(obstacle: WholeObstacle): string {
  return obstacle.kind === "agent"
    ? endedAfter(obstacle.trouble.short)
    : "the person ended the run at the final review";
}

const fix: Option = { key: "fix", label: "Fix", hint: "an implementer mends it, then it is reviewed again" };
const again: Option = { key: "again", label: "Review again" };
const checkAgain: Option = { key: "again", label: "Check again" };
const retry: Option = { key: "retry", label: "Retry" };
const abort: Option = { key: "abort", label: "Abort workflow" };

function firstOf({ kind }: WholeObstacle): Option {
  if (kind === "moved") return checkAgain;
  return kind === "inconclusive" ? again : fix;
}

function acceptOf({ kind }: WholeObstacle): Option {
  return { key: "accept", label: "Accept", hint: `${undoHint[kind] ?? ""}recorded as a waiver` };
}

const undoHint: Partial<Readonly<Record<WholeObstacle["kind"], string>>> = {
  validation: "takes the uncommitted fix back; ",
  moved: "takes the uncommitted fix back; ",
  agent: "goes without the fix; ",
};

function messageFor(obstacle: Exclude<WholeObstacle, { readonly kind: "agent" }>, rounds: number): string {
  const after = rounds === 0 ? "" : ` after ${rounds === 1 ? "1 fix" : `${rounds} fixes`}`;
  switch (obstacle.kind) {
    case "findings":
      return [
        `The final review ${rounds === 0 ? "" : "still "}asks for changes${after}:`,
        ...obstacle.open.map((entry) => `  - ${describe(entry)}`),
      ].join("\n");
    case "inconclusive":
      return `The final review is inconclusive${after}. The reviewer does not pass the work, and names nothing that blocks.\nIt says: ${obstacle.summary}`;
    case "moved":
      return "The tree changed while the final fixes were being checked. Leave it alone, then have them checked again.";
    case "validation":
      return `The ${rounds === 0 ? "finished work" : "final fix"} fails validation${after}.\nLast output of \`${obstacle.command}\`:\n${obstacle.output.slice(-1000)}`;
  }
}
