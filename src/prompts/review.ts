// The messages for the reviewers of a task: the first look, the look after a fix, and the return of what could not be checked.

import type { Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import type { Dispute } from "../core/review/dispute.ts";
import type { Register } from "../core/review/register.ts";
import { fenced } from "../core/text/block.ts";
import { bullets, changesText, goalText, onceMore, section, sections, step } from "./parts.ts";
import { findingsText, type TaskBrief, taskText } from "./task.ts";

export interface ReviewBrief extends Pick<TaskBrief, "task" | "total" | "goal" | "requirements" | "elsewhere"> {
  readonly changes: Diff;
  readonly blockOn: string;
  /** What the orchestrator has run on this tree, with the result. */
  readonly evidence: readonly string[];
  /** What the implementer says; empty when it said nothing. */
  readonly report: string;
  /** Set when this reviewer has looked before: what changed since, and its findings that are still open. */
  readonly since: Since | null;
}

export interface Since {
  readonly changes: Diff;
  readonly open: Register;
  /** Findings of other reviewers and failed checks that the changes answer. */
  readonly answered?: readonly string[];
  /** Why the writer disputes findings, by their ids. */
  readonly disputed?: readonly Dispute[];
  /** Who disputes; unset: the implementer. */
  readonly writer?: string;
}

/** A reviewer that passed the work before is shown only what has changed since; the whole is in the tree. */
export function taskReview(brief: ReviewBrief): string {
  const { goal, changes, since, blockOn, evidence, report } = brief;
  const isKnown = since !== null && since.open.length === 0;
  return sections(
    goalText(goal),
    taskText(brief),
    placeText(brief),
    evidenceText(evidence),
    section("What the implementer says (a claim)", report === "" ? "" : report.replaceAll(/^/gm, "> ")),
    isKnown ? "" : section("The changes", changesText(changes)),
    reviewAgain(since),
    step("review", `${blocking(blockOn)}${disputeText(since)}`),
  );
}

/** Where nothing was run, nobody is to think that something passed. */
export function evidenceText(evidence: readonly string[]): string {
  return section("Evidence", evidence.length === 0 ? "No check was run." : bullets(evidence));
}

export function blocking(severity: string): string {
  if (severity === "low") return "Every finding blocks.";
  return severity === "critical" ? "Only critical findings block." : `Findings of ${severity} and above block.`;
}

/** Which task it is, and who covers the rest of its requirements. */
function placeText({ task, total, elsewhere = [] }: ReviewBrief): string {
  const others = elsewhere.map(({ requirement, tasks }) => {
    const who = `${tasks.length === 1 ? "task" : "tasks"} ${tasks.join(", ")}`;
    return `${requirement} is also covered by ${who}.`;
  });
  return [total === 1 ? "" : `This is one of ${total} tasks, number ${task.id}.`, ...others, untested[task.tdd]]
    .filter((line) => line !== "")
    .join(" ");
}

/** So that nobody misses tests that the plan does not want. */
const untested: Readonly<Record<Task["tdd"], string>> = {
  required: "",
  "existing-tests": "Existing tests cover this task: no new ones are asked for.",
  none: "This task has nothing to test: no tests are asked for.",
};

/** Sent once: what could be checked is kept, so only the rest is asked for again. */
export function returned(prompt: string, answer: string, complaints: readonly string[]): string {
  const words =
    "Correct or withdraw these points, and answer in the same form. Your other findings and resolutions are kept: do not repeat them.";
  const before = sections(prompt, section("Your last answer", fenced("", answer)));
  return onceMore(before, "part of your last answer could not be used", bullets(complaints), words);
}

/** What a reviewer does with a finding that is disputed instead of fixed. */
export function disputeText(since: Since | null): string {
  if (since === null || since.changes.files.length > 0 || disputesOf(since).length === 0) return "";
  return " Nothing was changed, because findings of yours are disputed: check them again. Close those that were wrong; for those you keep, say why in summary.";
}

const disputesOf = ({ open, disputed = [] }: Since): readonly Dispute[] =>
  disputed.filter(({ id }) => open.some((entry) => entry.id === id));

export function reviewAgain(since: Since | null): string {
  if (since === null) return "";
  const { changes, open, answered = [], writer = "implementer" } = since;
  return sections(
    section("Changes since your last review", changes.files.length === 0 ? "None." : changesText(changes)),
    section("What else these changes answer (asked for, so not extra)", bullets(answered)),
    open.length === 0 ? "" : section("Your open findings", findingsText(open)),
    section(`What the ${writer} disputes (a claim)`, bullets(disputesOf(since).map(({ id, why }) => `${id}: ${why}`))),
  );
}
