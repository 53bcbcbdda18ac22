// The result of a run, as data. Views say it in words, with cost and time.

import { z } from "zod";
import { verdicts } from "../review/review.ts";
import { count } from "../text/format.ts";
import { Baseline } from "../validation/baseline.ts";
import { modes } from "./config.ts";

/** What a task came to. */
export const Settled = z.object({
  task: z.int(),
  title: z.string(),
  status: z.enum(["complete", "skipped"]),
  /** null when it was skipped, or accepted without a change. */
  commit: z.string().nullable(),
  /** Fix rounds, over all attempts. */
  rounds: z.int(),
  /** Whether the person had to decide about it. */
  escalated: z.boolean(),
  files: z.array(z.string()),
  /** What its agents made or changed and no commit can hold, unless the person let it through. */
  unheld: z.array(z.string()).optional(),
  /** The last verdict of each of its reviewers. */
  reviews: z.array(z.object({ role: z.string(), verdict: z.enum(verdicts) })).optional(),
  /** The tree for which its check passed. */
  tree: z.string().optional(),
  /** What is known of the tests after it. */
  tests: Baseline.optional(),
  /** Findings that were recorded and did not block, each with the reason. */
  deferred: z.array(z.string()),
  waivers: z.array(z.string()),
  /** What the implementer wants known, and which findings it holds to be wrong. */
  concerns: z.array(z.string()).optional(),
  disputed: z.array(z.string()).optional(),
  /** What was checked out when it began; null is a detached HEAD. */
  branch: z.string().nullable().optional(),
  /** The mode that the person chose when it turned out to be more than was thought. */
  switchedTo: z.enum(modes).optional(),
});
export type Settled = z.infer<typeof Settled>;

/** What a plan was approved with: what its reviewers found and the person let pass, and what did not block it. */
export const PlanRemarks = z.object({ waivers: z.array(z.string()), deferred: z.array(z.string()) });
export type PlanRemarks = z.infer<typeof PlanRemarks>;
export const noRemarks: PlanRemarks = { waivers: [], deferred: [] };

/** What the review of the whole came to. */
export const FinalResult = z.object({
  /** `none`: there was nothing to review, or the mode has no such review. `accepted`: the person let its findings through. */
  verdict: z.enum(["approved", "accepted", "none"]),
  summary: z.string(),
  /** What was open when the person accepted. */
  findings: z.array(z.string()),
  deferred: z.array(z.string()),
  rounds: z.int(),
  /** The commits of its fixes. */
  commits: z.array(z.string()),
  waivers: z.array(z.string()),
  /** What the implementers of its fixes want known, and which findings they hold to be wrong. */
  concerns: z.array(z.string()).optional(),
  disputed: z.array(z.string()).optional(),
});
export type FinalResult = z.infer<typeof FinalResult>;

/** What happened to the documentation. */
export const DocsResult = z.object({
  status: z.enum(["not-offered", "declined", "unchanged", "undone", "updated"]),
  commit: z.string().nullable(),
  files: z.array(z.string()),
  concerns: z.array(z.string()).optional(),
});
export type DocsResult = z.infer<typeof DocsResult>;

export const Report = z.object({
  goal: z.string(),
  tasks: z.array(Settled),
  final: FinalResult,
  docs: DocsResult,
  /** All that passed on the person's word instead of evidence. */
  waivers: z.array(z.string()),
  /** The parts that became runs of their own, in line behind this one. */
  queued: z.array(z.string()).optional(),
});
export type Report = z.infer<typeof Report>;

export function inOneLine({ tasks, final, queued = [] }: Pick<Report, "tasks" | "final"> & Partial<Report>): string {
  if (queued.length > 0) {
    return `Split into ${queued.length} runs, each on a branch of its own: ${queued.join("; ")}. They are queued and run one after another; superteam run --next starts the next one.`;
  }
  const complete = tasks.filter((task) => task.status === "complete").length;
  const skipped = tasks.length - complete;
  return [
    `${complete} of ${tasks.length} tasks complete${skipped === 0 ? "" : `, ${skipped} skipped`}.`,
    ...(final.verdict === "accepted"
      ? [`The final review was accepted with ${count(final.findings.length, "open finding")}.`]
      : []),
  ].join(" ");
}
