// What one task has come to while it is worked on, and what can stand in its way.

import { z } from "zod";
import type { TaskStatus } from "../../core/flow/fact.ts";
import { type Flow, record } from "../../core/flow/flow.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import { moved } from "../../core/flow/task-state.ts";
import { Requirement } from "../../core/plan/brainstorm.ts";
import { Task } from "../../core/plan/plan.ts";
import { openIn, type Register } from "../../core/review/register.ts";
import type { Verdict } from "../../core/review/review.ts";
import { mayFix } from "../../core/review/rounds.ts";
import { type ModeSettings, settingsIn, type TaskReviewer } from "../../core/run/ceremony.ts";
import { type Config, modes, optionalReviewers } from "../../core/run/config.ts";
import { Settled } from "../../core/run/report.ts";
import { type Ground, groundAt } from "../work/ground.ts";
import type { Trouble } from "../work/trouble.ts";
import { reviewModes } from "./configure.ts";

/** An anchor that is handed on from one part of a run to another. */
export const KeptTree = z.object({
  sha: z.string(),
  branch: z.string().nullable(),
  tree: z.string(),
  ref: z.string(),
  leftAlone: z.array(z.string()).readonly(),
}) satisfies z.ZodType<Anchor>;

/** Work that was begun before the task and is part of it: the tree before it, and the files it is in. */
export const Carried = z.object({ start: KeptTree, files: z.array(z.string()) });
export type Carried = z.infer<typeof Carried>;

/** What became of a task that is more than its mode is for. Its work is still in the tree. */
export const Outgrown = Carried.extend({ status: z.literal("outgrown"), mode: z.enum(modes) });
export type Outgrown = z.infer<typeof Outgrown>;

export const TaskEnd = z.union([Settled, Outgrown]);
export type TaskEnd = z.infer<typeof TaskEnd>;

export const TaskInput = z.object({
  task: Task,
  total: z.int(),
  goal: z.string(),
  /** The head of the plan's document, and what it says under the task's heading; empty where there is no document. */
  context: z.object({ header: z.string(), steps: z.string() }).default({ header: "", steps: "" }),
  mode: z.enum(modes),
  review: z.enum(reviewModes),
  requirements: z.array(Requirement),
  carried: Carried.nullable().default(null),
  earlier: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      status: z.enum(["complete", "skipped"]),
      commit: z.string().nullable(),
      files: z.array(z.string()),
    }),
  ),
});
export type TaskInput = z.infer<typeof TaskInput>;

/** The reviewers in their order: whether it is right comes before whether it is good. */
export const allReviewers = ["spec-reviewer", "quality-reviewer", ...optionalReviewers] as const;
export type Reviewer = TaskReviewer;
export const reviewNames: Readonly<Record<Reviewer, string>> = {
  "spec-reviewer": "spec review",
  "quality-reviewer": "quality review",
  "security-reviewer": "security review",
  "performance-reviewer": "performance review",
};

/** An optional reviewer advises: what it finds is only recorded, unless it is critical. */
export function isAdviser(role: Reviewer): boolean {
  return optionalReviewers.some((optional) => optional === role);
}

/** A verdict, bound to the tree it was given for. `fixes` is how many fixes there had been. */
export interface ReviewReceipt {
  readonly tree: string;
  readonly verdict: Verdict;
  readonly summary: string;
  readonly fixes: number;
}

/** The state of the work. Only the flow that settles the task changes it. */
export interface TaskWork extends Ground {
  readonly input: TaskInput;
  /** They change only when the person wants more process than the run began with. */
  settings: ModeSettings;
  /** What a writer that fails is taken back to: the start, or the work that was there already. */
  before: Anchor;
  /** What the implementer said last, until it has been looked at; and whether the person was asked about it. */
  report: string;
  weighed: boolean;
  status: TaskStatus;
  /** What was left alone and has been named. */
  readonly named: Set<string>;
  register: Register;
  readonly reviews: Map<Reviewer, ReviewReceipt>;
  /** The tree for which the validation command last passed. */
  validated: string | null;
  /** The tree before each fix. */
  fixes: readonly Anchor[];
  /** Rounds since the person last decided, and in all. */
  used: number;
  rounds: number;
  /** Whether the tree has moved under a verdict since the person last decided. */
  unsettled: boolean;
  escalated: boolean;
}

/** Why a task cannot be committed as it is. */
export type TaskObstacle =
  | { readonly kind: "nothing" }
  | { readonly kind: "validation"; readonly command: string; readonly output: string; readonly changes: Changes }
  | {
      readonly kind: "findings";
      readonly roles: readonly Reviewer[];
      readonly open: Register;
      readonly changes: Changes;
    }
  | { readonly kind: "inconclusive"; readonly role: Reviewer; readonly summary: string }
  | { readonly kind: "moved" }
  /** An agent could not be brought to do its part. `again` is what a retry does before the work is looked at. */
  | { readonly kind: "agent"; readonly trouble: Trouble; readonly again: (() => Flow<TaskObstacle | undefined>) | null }
  | { readonly kind: "refused"; readonly detail: string };

export type Fixable = Extract<TaskObstacle, { readonly kind: "validation" | "findings" }>;

export function isFixable(obstacle: TaskObstacle): obstacle is Fixable {
  return obstacle.kind === "validation" || obstacle.kind === "findings";
}

/** Whether code may have it fixed by itself. What only critical findings can do, block such a review, is the person's. */
export function mayFixAlone(job: TaskWork, obstacle: Fixable): boolean {
  const { maxTaskReviewCycles: limit } = job.settings.review;
  if (!mayFix({ used: job.used, limit }, job.register)) return false;
  return obstacle.kind === "validation" || (job.input.review === "iterative" && !obstacle.roles.some(isAdviser));
}

/** The evidence without which nothing is complete: every receipt is for the very tree that is committed. */
export function isProven(job: TaskWork, tree: string): boolean {
  const validated = job.settings.validationCommand === "" || job.validated === tree;
  const reviewed = job.settings.review.reviewers.every((role) => {
    const receipt = job.reviews.get(role);
    return receipt?.tree === tree && isEnough(receipt.verdict, job.input.review);
  });
  return validated && reviewed && openIn(job.register).length === 0;
}

/** In a single pass, findings may have been waived; that a reviewer cannot make up its mind is never enough. */
function isEnough(verdict: Verdict, mode: TaskInput["review"]): boolean {
  return verdict === "approved" || (mode === "single-pass" && verdict === "needs_revision");
}

/** Moves the task on, and tells it. Being there already is no move. */
export function* become(job: TaskWork, status: Exclude<TaskStatus, "complete" | "skipped">): Flow<void> {
  if (job.status === status) return;
  job.status = moved(job.status, status);
  yield* record({ type: "task.status", task: `${job.input.task.id}`, status, round: job.rounds });
}

export function stepOf(job: TaskWork, step: string): string {
  return `execute.task.${job.input.task.id}.${step}`;
}

/** The work is in a commit, or was accepted without one. */
export interface Landing {
  readonly kind: "landed";
  readonly commit: string | null;
  readonly files: readonly string[];
  readonly waivers: readonly string[];
}

/** Where work was begun before, the task starts without it, from all else that is there by now. */
export function startJob(input: TaskInput, config: Config, here: Anchor, start: Anchor = here): TaskWork {
  return {
    ...groundAt(start, input.carried?.files ?? []),
    input,
    settings: settingsIn(input.mode, config),
    before: here,
    report: "",
    weighed: false,
    named: new Set(here.leftAlone),
    status: "pending",
    register: [],
    reviews: new Map(),
    validated: null,
    fixes: [],
    used: 0,
    rounds: 0,
    unsettled: false,
    escalated: false,
  };
}
