// What reviewers are told: the first look, the look after a fix, and the return of what could not be checked.

import type { Diff } from "../core/review/anchor.ts";
import type { Register } from "../core/review/register.ts";
import { Review } from "../core/review/review.ts";
import type { TaskReviewer } from "../core/run/ceremony.ts";
import { answerIn, bullets, changesText, dataRule, section, sections } from "./parts.ts";
import { findingsText, type TaskBrief, taskText } from "./task.ts";

export interface ReviewBrief extends Pick<TaskBrief, "task" | "requirements"> {
  readonly changes: Diff;
  readonly blockOn: string;
  /** Whether nobody has looked yet at whether it is what was asked for. */
  readonly isUnproven?: boolean;
  /** Set when this reviewer has looked before: what changed since, and its findings that are still open. */
  readonly since: { readonly changes: Diff; readonly open: Register } | null;
}

interface Look {
  /** What is reviewed, how it is read, and what to look for. */
  readonly of: string;
  readonly read: string;
  readonly look: string;
}

const checked = "that it does what was asked and is fit to merge has been checked";

const looksAt = ({ isUnproven }: ReviewBrief): Readonly<Record<TaskReviewer, Look>> => ({
  "spec-reviewer": {
    of: "whether the work on one task is what was asked for",
    read: "Read the actual code and compare to requirements line by line.",
    look: "Look for what is missing, extra, misunderstood, incorrect or untested. Leave style to others.",
  },
  "quality-reviewer": {
    of: `the quality of the work on one task; that it does what was asked ${isUnproven ? "is checked by another" : "has been checked"}`,
    read: "Read the actual code and its tests.",
    look: "Look at correctness at the edges, error handling, naming, duplication, structure, and whether the tests would fail if the code broke. Report what you would not merge, not what you would have written otherwise.",
  },
  "security-reviewer": {
    of: `the security of the work on one task; ${checked}`,
    read: "Read the actual code.",
    look: "Follow what comes from outside to where it is used: injection, paths, deserialising, authentication and rights, secrets in code or logs, weak randomness or cryptography, denial of service, dependencies. Report what somebody could really do, and how; not what would be more defensive. Rules to use: unsafe, dependency, incorrect, untested.",
  },
  "performance-reviewer": {
    of: `the performance of the work on one task; ${checked}`,
    read: "Read the actual code.",
    look: "Look for work that grows faster than its input, repeated reads and queries, blocking calls on hot paths, what is kept without a bound, and leaks. Say for which input it matters and how much; leave out what nobody would notice. Rules to use: slow, unsafe, structure, untested.",
  },
});

export function taskReview(role: TaskReviewer, brief: ReviewBrief): string {
  const { of, read, look } = looksAt(brief)[role];
  return sections(
    `Review ${of}. ${dataRule}`,
    `Do NOT trust the implementer's report. ${read}\n${noWriting}\n${look}`,
    anchorRule("the id of a requirement or criterion (R1, C1)", brief.blockOn),
    answerIn("superteam-json", Review),
    taskText(brief),
    section("The changes", changesText(brief.changes)),
    reviewAgain(brief.since),
  );
}

/** Sent once: what stands is kept, so only what could not be used is asked for again. */
export function returned(prompt: string, complaints: readonly string[]): string {
  return sections(
    prompt,
    section("Your last answer came back", bullets(complaints)),
    "Answer again in the same form, with these points mended or withdrawn. Findings that could be checked stand: do not repeat them.",
  );
}

export const noWriting = "You MUST NOT modify any files. Your output is a review verdict only.";

export function anchorRule(ids: string, blockOn: string): string {
  return `Each finding needs an anchor that can be checked: a file with a quote copied from it verbatim, or ${ids}. "critical": loses data, breaks security or other parts; "high": a requirement is not met; "medium": wrong, but only at the edge; "low": a nit. Below ${blockOn} nothing blocks.`;
}

export function reviewAgain(since: ReviewBrief["since"]): string {
  if (since === null) return "";
  return sections(
    section("You have reviewed this before. Since then", changesText(since.changes)),
    since.open.length === 0 ? "" : section("Your open findings", findingsText(since.open)),
    `${since.open.length === 0 ? "" : "Answer each open id in `resolutions`, with a quote of a line that the fix added or removed as proof. "}New findings outside the changes since then count only if high or critical.`,
  );
}
