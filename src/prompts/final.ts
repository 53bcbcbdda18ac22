// What is said at the end of a run, about the whole of the work: the final review, its fixes, and the documentation.

import type { Requirement } from "../core/plan/brainstorm.ts";
import type { Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import { fenced } from "../core/text/block.ts";
import { bullets, changesText, onceMore, section, sections, step } from "./parts.ts";
import { blocking, reviewAgain, type Since } from "./review.ts";

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
  readonly blockOn: string;
  /** What the orchestrator has run on this very tree, with what came of it. */
  readonly evidence: readonly string[];
  readonly since: Since | null;
}

export function finalReview(brief: FinalBrief): string {
  const isKnown = brief.since !== null && brief.since.open.length === 0;
  return sections(
    whole(brief),
    section("Deferred by earlier reviews", bullets(brief.deferred)),
    section("Waived by the person", bullets(brief.waivers)),
    section("Evidence", bullets(brief.evidence)),
    isKnown ? "" : section("The changes", changesText(brief.changes)),
    reviewAgain(brief.since),
    step("review the whole", blocking(brief.blockOn)),
  );
}

/** `words` is what the person answers a fixer that was blocked; empty when it was not. */
export function finalFix(brief: WholeBrief, problem: string, words = ""): string {
  return sections(
    whole(brief),
    section("The changes", changesText(brief.changes)),
    section("What was found", problem),
    section("What the person says", words),
    step(
      "fix the whole",
      "Fix each point of What was found at its cause, with a test that would have caught it where none did. Change nothing else.",
    ),
  );
}

export function updateDocs(brief: WholeBrief): string {
  return sections(
    whole(brief),
    section("The changes", changesText(brief.changes)),
    step(
      "documentation",
      `Bring the documentation of this repository up to date with the work, which is finished.
- Look at README, CHANGELOG, docs/ and whatever else tells a reader about this project. Change what is no longer true, add what a reader will look for, in the place and the manner the project has for it.
- Change documentation only (Markdown and other text documents, files below docs/): no code, no tests, no configuration, and nothing below docs/plans.
- Say only what the code does; run what you quote. If nothing needs to change, change nothing.`,
    ),
  );
}

/** The same prompt once more, after what came of it was taken back. */
export function updateDocsAgain(prompt: string, problem: string): string {
  return onceMore(prompt, "your last attempt was taken back", fenced("", problem), "Do it again, without this.");
}

function whole(brief: WholeBrief & Partial<Pick<FinalBrief, "leftOut">>): string {
  const { goal, designPath, tasks, requirements, leftOut = [] } = brief;
  return sections(
    section("Goal", goal),
    `The approved design is in \`${designPath}\`.`,
    section("Requirements", bullets(requirements.map(({ id, text }) => `${id}: ${text}`))),
    leftOut.length === 0 ? "" : `The person skipped what meets ${leftOut.join(", ")}: that is not missing.`,
    section("Completed tasks", bullets(tasks.map(({ id, title }) => `Task ${id}: ${title}`))),
  );
}
