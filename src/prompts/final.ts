// What is said at the end of a run, about the whole of the work: the final review, its fixes, and the documentation.

import type { Requirement } from "../core/plan/brainstorm.ts";
import type { Task } from "../core/plan/plan.ts";
import type { Diff } from "../core/review/anchor.ts";
import type { Register } from "../core/review/register.ts";
import { FinalReview } from "../core/review/review.ts";
import { fenced } from "../core/text/block.ts";
import { answerIn, bullets, changesText, dataRule, section, sections } from "./parts.ts";
import { anchorRule, noWriting, reviewAgain } from "./review.ts";
import { noCommit } from "./task.ts";

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
  /** Set when this reviewer has looked before: what changed since, and its findings that are still open. */
  readonly since: { readonly changes: Diff; readonly open: Register } | null;
}

export function finalReview(brief: FinalBrief): string {
  return sections(
    `Review a finished piece of work as a whole, against its design. Each of its tasks has been reviewed alone. ${dataRule}`,
    `Do NOT trust reports. Read the design and the actual code.
${noWriting}
Look for what only the whole shows: a requirement that fell between tasks (missing), work nobody asked for (extra), a requirement met in words but not in sense (misunderstood), parts that do not fit together, contradict or repeat each other (cross-task). Weigh the findings that were deferred: name again, in the category that fits best, what the whole should not be merged with. What the person waived is decided.`,
    anchorRule("the id of a requirement (R1)", brief.blockOn),
    answerIn("superteam-json", FinalReview),
    whole(brief),
    section("Deferred by earlier reviews", bullets(brief.deferred)),
    section("Waived by the person", bullets(brief.waivers)),
    section("The changes", changesText(brief.changes)),
    reviewAgain(brief.since),
  );
}

export function finalFix(brief: WholeBrief, problem: string): string {
  return sections(
    `Fix what was found wrong with a finished piece of work, looked at as a whole. ${dataRule}`,
    `- Mend each point at its cause, with a test that would have caught it. Change nothing else.
- Run the project's tests before you report.
- ${noCommit}
- Report for each point, by its id, what you did.`,
    whole(brief),
    section("What was found", problem),
    section("The changes", changesText(brief.changes)),
  );
}

export function updateDocs(brief: WholeBrief): string {
  return sections(
    `Bring the documentation of this repository up to date with work that is finished. ${dataRule}`,
    `- Look at README, CHANGELOG, docs/ and whatever else tells a reader about this project. Change what is no longer true, add what a reader will look for, in the place and the manner the project has for it.
- Change documentation only (Markdown and other text documents, files below docs/): no code, no tests, no configuration, and nothing below docs/plans.
- Say only what the code does; run what you quote. If nothing needs to change, change nothing.
- ${noCommit}
- Report in a few lines what you changed and why.`,
    whole(brief),
    section("The changes", changesText(brief.changes)),
  );
}

/** The same prompt once more, after what came of it was taken back. */
export function updateDocsAgain(prompt: string, problem: string): string {
  return sections(prompt, section("Your last attempt was taken back", fenced("", problem)));
}

function whole(brief: WholeBrief & Partial<Pick<FinalBrief, "leftOut">>): string {
  const { goal, designPath, tasks, requirements, leftOut = [] } = brief;
  return sections(
    section("The goal", goal),
    `The approved design is in \`${designPath}\`.`,
    section("Requirements", bullets(requirements.map(({ id, text }) => `${id}: ${text}`))),
    leftOut.length === 0 ? "" : `The person skipped what meets ${leftOut.join(", ")}: that is not missing.`,
    section("Completed tasks", bullets(tasks.map(({ id, title }) => `Task ${id}: ${title}`))),
  );
}
