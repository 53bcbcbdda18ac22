// The messages at the end of a run, about the work as a whole: the final review, its fixes, and the documentation.

import type { Requirement } from "../core/plan/brainstorm.ts";
import type { Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import { fenced } from "../core/text/block.ts";
import { bullets, changesText, goalText, onceMore, section, sections, step } from "./parts.ts";
import { blocking, disputeText, evidenceText, reviewAgain, type Since } from "./review.ts";
import { findingTest, redText, type TaskBrief, type ToFix } from "./task.ts";

export interface WholeBrief {
  readonly goal: string;
  /** Where the approved design is. */
  readonly designPath: string;
  /** The tasks that are complete. */
  readonly tasks: readonly Pick<Task, "id" | "title">[];
  /** What these tasks had to meet. */
  readonly requirements: readonly Requirement[];
  readonly changes: Diff;
}

export interface FinalBrief extends WholeBrief {
  /** Ids of requirements that only tasks cover which the person skipped. */
  readonly leftOut: readonly string[];
  readonly deferred: readonly string[];
  readonly waivers: readonly string[];
  /** What the implementers of the tasks want known. */
  readonly concerns: readonly string[];
  readonly blockOn: string;
  /** What the orchestrator has run on this tree, with the result. */
  readonly evidence: readonly string[];
  readonly since: Since | null;
}

export function finalReview(brief: FinalBrief): string {
  const isKnown = brief.since !== null && brief.since.open.length === 0;
  return sections(
    whole(brief),
    section("Deferred by earlier reviews", bullets(brief.deferred)),
    section("Waived by the person", bullets(brief.waivers)),
    section("What the implementers want known (claims)", bullets(brief.concerns)),
    evidenceText(brief.evidence),
    isKnown ? "" : section("The changes", changesText(brief.changes)),
    reviewAgain(brief.since),
    step("review the whole", `${blocking(brief.blockOn)}${disputeText(brief.since)}`),
  );
}

/** `lesson` says why an earlier fixer was blocked, and what the person answers; empty when none was. */
export function finalFix(brief: WholeBrief & Pick<TaskBrief, "red">, problem: ToFix, lesson = ""): string {
  return sections(
    whole(brief),
    redText(brief),
    section("The changes", changesText(brief.changes)),
    section("What was found", problem.text),
    section("What happened to your last attempt", lesson),
    step(
      "fix the whole",
      `Fix everything under What was found, at its cause, except what you dispute.${findingTest(problem)} Change nothing else.`,
    ),
  );
}

export function updateDocs(brief: WholeBrief): string {
  return sections(
    whole(brief),
    section("The changes", changesText(brief.changes)),
    step(
      "documentation",
      `The work is finished. Bring the documentation of this repository up to date with it.
- Look at README, CHANGELOG, docs/ and any other documentation. Change what is no longer true and add what a reader will look for, where and how the project does that.
- Change documentation only (Markdown and other text documents; below docs/ also HTML, CSS and images): no code, no tests, no configuration, and nothing below docs/plans.
- Describe only what the code does. Try the commands you quote, unless they deploy, publish or delete something. If nothing needs to change, change nothing.
- Run no tests: the orchestrator runs the checks on what you write.`,
    ),
  );
}

/** The same prompt once more, after its result was undone. */
export function updateDocsAgain(prompt: string, problem: string): string {
  return onceMore(prompt, "your last attempt was undone", fenced("", problem), "Do it again, and avoid this.");
}

function whole(brief: WholeBrief & Partial<Pick<FinalBrief, "leftOut">>): string {
  const { goal, designPath, tasks, requirements, leftOut = [] } = brief;
  return sections(
    goalText(goal),
    section("The approved design", `In \`${designPath}\`.`),
    section("Requirements", bullets(requirements.map(({ id, text }) => `${id}: ${text}`))),
    leftOut.length === 0
      ? ""
      : `The person skipped the tasks for ${leftOut.join(", ")}, so ${leftOut.length === 1 ? "it is" : "they are"} not part of this work.`,
    section("Completed tasks", bullets(tasks.map(({ id, title }) => `Task ${id}: ${title}`))),
  );
}
