// One task: its input, its state while it is worked on, and its result.

import { z } from "zod";
import type { TaskStatus } from "../../core/flow/fact.ts";
import { type Flow, record } from "../../core/flow/flow.ts";
import { KeptTree } from "../../core/flow/kept-tree.ts";
import type { Anchor, Changes } from "../../core/flow/repository.ts";
import { moved } from "../../core/flow/task-state.ts";
import { Requirement } from "../../core/plan/brainstorm.ts";
import { Task } from "../../core/plan/plan.ts";
import { type Claims, noClaims, type ReadReport } from "../../core/plan/writer-report.ts";
import { isProven, type RequiredReceipt } from "../../core/review/receipts.ts";
import { isOverruled } from "../../core/review/register.ts";
import type { Verdict } from "../../core/review/review.ts";
import { type Config, modes, reviewModes } from "../../core/run/config.ts";
import { type ModeSettings, settingsIn } from "../../core/run/mode-settings.ts";
import { Settled } from "../../core/run/report.ts";
import { Baseline } from "../../core/validation/baseline.ts";
import type { CommandFiles, ScriptChange } from "../../core/validation/scripts/script-files.ts";
import { type Checked, requiredChecks, type Suite } from "../suite/suite.ts";
import { warn } from "../work/consult.ts";
import { ReviewRounds } from "../work/review-rounds.ts";
import { rangeFrom, type WorkRange } from "../work/work-range.ts";

/** Work that was begun before the task and is part of it: the tree before it, and the files it is in. */
export const Carried = z.object({
  start: KeptTree,
  files: z.array(z.string()),
  /** What it made or changed and no commit can hold. */
  unheld: z.array(z.string()).optional(),
  /** What was known of the tests before it. */
  tests: Baseline.nullable().default(null),
});
export type Carried = z.infer<typeof Carried>;

/** What happened to a task that is more than its mode is for. Its work is still in the tree. */
export const Outgrown = Carried.extend({ status: z.literal("outgrown"), mode: z.enum(modes) });
export type Outgrown = z.infer<typeof Outgrown>;

export const TaskEnd = z.union([Settled, Outgrown]);
export type TaskEnd = z.infer<typeof TaskEnd>;

export const TaskInput = z.object({
  task: Task,
  total: z.int(),
  goal: z.string(),
  /** The head of the plan's document; empty where there is none. */
  header: z.string().default(""),
  mode: z.enum(modes),
  review: z.enum(reviewModes),
  requirements: z.array(Requirement),
  /** Requirements of this task that other tasks cover too. */
  elsewhere: z.array(z.object({ requirement: z.string(), tasks: z.array(z.int()) })).default([]),
  carried: Carried.nullable().default(null),
  /** What earlier tasks made or changed and no commit can hold. */
  unheld: z.array(z.string()).optional(),
  /** What was checked out when the task before it began, or the first of all. */
  branch: Settled.shape.branch,
  /** Whether no other task follows, before the end of the run, with whose tests its own could run. */
  isAlone: z.boolean().default(true),
  /** What earlier tasks leave to be known of the tests; null where it has to be found out. */
  tests: Baseline.nullable().default(null),
  earlier: z.array(
    Settled.pick({ title: true, status: true, commit: true, files: true }).extend({ id: Settled.shape.task }),
  ),
});
export type TaskInput = z.infer<typeof TaskInput>;

/** How many earlier tasks one is told of, unless it builds on more. */
const earlierTold = 5;

/** What a task is told of earlier ones, oldest first: all that it builds on, and the last ones. */
export function earlierFor<E extends { readonly id: number }>({ dependsOn }: Task, settled: readonly E[]): E[] {
  const isNeeded = ({ id }: E): boolean => dependsOn.includes(id);
  const others = settled.filter((one) => !isNeeded(one));
  const room = Math.max(0, earlierTold - (settled.length - others.length));
  const last = new Set(others.slice(Math.max(0, others.length - room)));
  return settled.filter((one) => isNeeded(one) || last.has(one));
}

/** Something that a fix was to answer, and who found it; null for a check. */
export interface AnsweredByFix {
  readonly role: string | null;
  readonly text: string;
}

/** The state of the work. Only the flow that settles the task changes it. */
export interface TaskWork {
  readonly input: TaskInput;
  /** They change only when the person wants more process than the run began with. */
  settings: ModeSettings;
  readonly range: WorkRange;
  /** What was checked out when it began. */
  readonly branch: string | null;
  readonly rounds: ReviewRounds;
  /** null: there are no tests to run. */
  readonly suite: Suite | null;
  /** What the task had changed when it was last judged. */
  changes: Changes;
  /** What the implementer said last; null before it has said anything. */
  report: ReadReport | null;
  /** The last report whose words about the size of the work were read, and whether the person was asked about it. */
  weighed: ReadReport | null;
  /** What it said of the work that is in the tree: for the commit and the report. */
  said: string;
  isWeighed: boolean;
  /** What it wants known, and what it has against findings. */
  claims: Claims;
  /** What each fix so far was to answer. */
  readonly answered: (readonly AnsweredByFix[])[];
  status: TaskStatus;
  /** What was left alone and has been named. */
  readonly named: Set<string>;
  isEscalated: boolean;
  /** The tree for which it was last proved that the task was built test first, and the tests that prove it. */
  testFirst: { readonly tree: string; readonly green: readonly string[] } | null;
  /** Why that is not proved, if the person let it pass. */
  unproved: string | null;
  /** What fails for its commit without changes of the person's, if they let it pass. */
  alone: string | null;
  /** What its checks ran from before it, and what it changed of that. */
  readonly scripts: {
    readonly before: readonly CommandFiles[];
    changes: readonly ScriptChange[];
    readonly told: Set<string>;
  };
}

interface Begun {
  readonly here: Anchor;
  readonly start?: Anchor;
  readonly suite?: Suite | null;
  /** What its checks run from. */
  readonly scripts?: readonly CommandFiles[];
}

/** Where work was begun before, the task starts without it, from all else that is there by now. */
export function startTask(input: TaskInput, config: Config, begun: Begun): TaskWork {
  const { here, start = here, suite = null, scripts = [] } = begun;
  const settings = settingsIn(input.mode, config);
  const { maxTaskReviewCycles: limit } = settings.review;
  const { files = [], unheld = [] } = input.carried ?? {};
  return {
    input,
    settings,
    range: rangeFrom(start, { files, known: here.tree, unheld: [...(input.unheld ?? []), ...unheld] }),
    branch: here.branch,
    rounds: new ReviewRounds({ limit, isSinglePass: input.review === "single-pass" }),
    suite,
    changes: { files: [], diff: "", tree: start.tree, leftAlone: [] },
    report: null,
    weighed: null,
    said: "",
    isWeighed: false,
    claims: noClaims,
    answered: [],
    status: "pending",
    named: new Set(here.leftAlone),
    isEscalated: false,
    testFirst: null,
    unproved: null,
    alone: null,
    scripts: { before: scripts, changes: [], told: new Set() },
  };
}

/** From here on the task is held to these settings. */
export function useSettings(job: TaskWork, settings: ModeSettings): void {
  job.settings = settings;
  job.rounds.limit = settings.review.maxTaskReviewCycles;
  job.rounds.granted = settings.review.maxTaskReviewCycles;
}

/** What checks its work. */
export const checkedIn = ({ settings, suite }: TaskWork): Checked => ({ command: settings.validationCommand, suite });

/** The evidence without which nothing is complete: a check and every review, all for the very tree that is committed. */
export function isProvenTask(job: TaskWork, tree: string): boolean {
  const { settings, rounds } = job;
  // Findings may have been waived; that a reviewer cannot make up its mind is never enough.
  const verdictsOf = (role: string): readonly Verdict[] =>
    rounds.isSinglePass || isOverruled(rounds.register, role) ? ["approved", "needs_revision"] : ["approved"];
  const reviews = settings.review.reviewers.map((judge): RequiredReceipt => ({ judge, verdicts: verdictsOf(judge) }));
  const required = [...requiredChecks(checkedIn(job)), ...reviews];
  return (
    rounds.open().length === 0 &&
    !rounds.claimsOf(settings.review.reviewers) &&
    isProven(rounds.receipts, tree, required)
  );
}

/** The person may have gone elsewhere while a question waited, and forgotten. */
export function* warnIfElsewhere({ task, branch: before }: TaskInput, { branch }: Anchor): Flow<void> {
  if (before === undefined || before === null || branch === before) return;
  const now = branch === null ? "on no branch" : `on ${branch}`;
  yield* warn(
    `HEAD is ${now} and was on ${before}: task ${task.id} is committed where HEAD is now. Where an earlier task is missing there, the report says at the end how to get it back.`,
  );
}

/** Moves the task on, and tells it. Being there already is no move. */
export function* become(job: TaskWork, status: Exclude<TaskStatus, "complete" | "skipped">): Flow<void> {
  if (job.status === status) return;
  job.status = moved(job.status, status);
  yield* record({ type: "task.status", task: `${job.input.task.id}`, status, round: job.rounds.total });
}

export function stepOf(job: TaskWork, step: string): string {
  return `execute.task.${job.input.task.id}.${step}`;
}
