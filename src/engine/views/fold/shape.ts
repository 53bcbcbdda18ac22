// What a person can know of a run, as plain values. A view is made by folding the journal's entries one by one
// (`applyEntry`); only that fold writes to it, everything that shows something only reads it.

import type { CheckOutcome } from "../../../core/flow/check.ts";
import type { Difficulty } from "../../../core/flow/dispatch.ts";
import type { FactOf, TaskStatus } from "../../../core/flow/fact.ts";
import type { DispatchRequest, Request, ScopeKind } from "../../../core/flow/flow.ts";
import type { Answerer } from "../../../core/flow/question.ts";
import type { FileLines } from "../../../core/flow/repository.ts";
import type { Limits, Unit } from "../../../core/money/budget.ts";
import type { Forecast } from "../../../core/money/experience.ts";
import type { Mode } from "../../../core/run/config.ts";
import { bareOutline, type PipelineOutline } from "../../../core/run/pipeline.ts";
import type { Doubt, UncheckedBecause } from "../../../core/run/unchecked.ts";
import type { Ending } from "../../../ports/journal.ts";
import { Ledger } from "./ledger.ts";
import { phaseNamed, type Where } from "./where.ts";

/** A request that was begun and has no outcome yet. */
export interface OpenRequest {
  readonly key: string;
  readonly request: Request;
  readonly where: Where;
  readonly at: number;
  /** The model that answers a dispatch, once it is known. */
  model: string | null;
}

export interface OpenScope {
  readonly scope: string;
  readonly kind: ScopeKind;
  readonly where: Where;
  readonly at: number;
}

/** The open request itself, with what is shown of it: what changes in one changes in the other. */
export type RunningDispatch = OpenRequest & Pick<DispatchRequest, "role" | "name">;

export type ReviewLine = Omit<FactOf<"review.finished">, "type" | "task">;

export interface TaskView {
  readonly id: string;
  number: number;
  title: string;
  complexity: Difficulty;
  /** The requirements it is to meet, by id. */
  covers: readonly string[];
  /** What the implementer said of it when it was done. */
  said: string;
  /** What it wants known, and which findings it holds to be wrong. */
  concerns: readonly string[];
  disputed: readonly string[];
  status: TaskStatus;
  /** The round it is in; 0 before the first fix. */
  round: number;
  commit: string | null;
  /** It is complete, and the tests have not passed since. */
  testsPending: boolean;
  /** Whether the person had to decide about it. */
  escalated: boolean;
  /** The scope it runs in, once it is started. */
  where: Where | null;
  startedAt: number | null;
  settledAt: number | null;
  /** The latest review by each role. Whatever changes the code voids them all. */
  readonly reviews: Map<string, ReviewLine>;
}

export class BrainstormView {
  step: "scout" | "questions" | "approaches" | "design" | "done" = "scout";
  scoutOutput: string | null = null;
  questions: readonly unknown[] = [];
  readonly answers = new Map<string, string>();
  approaches: readonly unknown[] = [];
  recommendation: string | null = null;
  approach: { readonly id: string; readonly title: string; readonly custom: boolean } | null = null;
  sections: readonly unknown[] = [];
  readonly approvals = new Map<string, boolean>();
}

/** How the person wants the tasks to be worked through. */
export type Configured = Omit<FactOf<"configured">, "type">;

export interface CommitLine {
  readonly sha: string;
  /** Where HEAD was before it. */
  readonly since: string;
  readonly task: string | null;
  readonly documents: boolean;
  readonly files: readonly string[];
  /** Undefined where nobody counted. */
  readonly lines: readonly FileLines[] | undefined;
  readonly where: Where;
}

export interface Moment {
  readonly at: number;
  readonly text: string;
}

export interface CheckLine extends Pick<CheckOutcome, "passed" | "tree" | "durationMs"> {
  readonly task: string | null;
  readonly command: string;
}

export type ComparedTests = Omit<FactOf<"tests.compared">, "type">;

/** How the tests were when their command first ran, and each run of them since. */
export class TestsView {
  /** One for each command that the tests have had, the first one first. */
  readonly baselines: Omit<FactOf<"tests.baseline">, "type">[] = [];
  /** Tasks that no run of the tests will be for any more. */
  readonly untested = new Set<string>();
  readonly runs: ComparedTests[] = [];
  /** How long the last run took, by command and tree: `npm test\n1a2b3c4`. */
  readonly tookMs = new Map<string, number>();
  /** The last run found no tests. */
  isEmpty = false;
  /** Files that their commands run from, and that the work changed. */
  readonly scripts: Omit<FactOf<"scripts.changed">, "type">[] = [];
  /** By task, the last word on whether it was built test first. */
  readonly first = new Map<string, Omit<FactOf<"tests.first">, "type">>();
}

/** What the entry that was folded last is about: an entry that settles or leaves names just a key. */
export type ViewSubject =
  | { readonly kind: "request"; readonly request: OpenRequest }
  | { readonly kind: "scope"; readonly scope: OpenScope }
  | { readonly kind: "none" };

export class RunView {
  runId = "";
  /** What the run says of its pipeline: views know no pipeline and no phase by heart. */
  pipeline: PipelineOutline = bareOutline("");
  goal = "";
  startedAt = 0;
  startedBy: Answerer = "person";
  /** The last entry's number and time. */
  seq = 0;
  lastAt = 0;
  /** Time with a process at work: the gaps between sessions are not in it. */
  activeMs = 0;
  sessions = 0;
  /** How much process the run has; null until it is decided. */
  mode: Mode | null = null;
  /** Rounds of fix and re-review that the mode has. */
  rounds: number | null = null;
  forecast: Forecast | null = null;
  /** The part that is being worked on, in a run of batches. */
  part: Omit<FactOf<"part.started">, "type"> | null = null;
  phase: string | null = null;
  /** Where the run's documents go, as its input says. */
  documents: Readonly<Record<string, string>> = {};
  /** The person has said that the goal itself is the design. */
  skipsBrainstorm = false;
  brainstorm = new BrainstormView();
  designPath: string | null = null;
  planPath: string | null = null;
  /** The plan of every part so far. */
  readonly plans = new Set<string>();
  planApproved = false;
  /** How often the plan was written; more than once means it was revised. */
  plansWritten = 0;
  /** The latest review of the plan by each role. A plan that is written again voids them all. */
  readonly planReviews = new Map<string, ReviewLine>();
  /** How often reviewers have looked at the plan again. */
  planReviewCycles = 0;
  configured: Configured | null = null;
  /** What the writers of the final fixes and of the documentation said. */
  readonly writers: Omit<FactOf<"writer.said">, "type">[] = [];
  /** The latest review over all tasks. */
  finalReview: (Omit<ReviewLine, "role"> & { readonly summary: string }) | null = null;
  tasks = new Map<string, TaskView>();
  /** The tasks at work, the one that moved last at the end. One that is settled stays until work on another begins. */
  readonly tasksAtWork = new Set<string>();
  /** What a `config` request gave last: JSON. */
  config: unknown = null;
  /** The budget that holds, before what the person has raised it to. */
  limits: Limits | null = null;
  readonly open = new Map<string, OpenRequest>();
  readonly scopes = new Map<string, OpenScope>();
  readonly running = new Map<string, RunningDispatch>();
  /** How many answers each question id has had. */
  readonly served = new Map<string, number>();
  /** Questions by id whose last answer was not the person's own, and whose it was. */
  readonly decidedBy = new Map<string, Answerer>();
  readonly spend = new Ledger();
  /** What the person has raised each limit to; 0 where they have not. */
  readonly raised: Record<Unit, number> = { usd: 0, tokens: 0, dispatches: 0 };
  readonly tests = new TestsView();
  /** The last outcome of each command in each task; of the tests it says too little (see `tests`). */
  readonly checks = new Map<string, CheckLine>();
  readonly warnings: string[] = [];
  readonly waivers: Omit<FactOf<"waiver">, "type">[] = [];
  readonly deferred: { readonly task: string; readonly what: string }[] = [];
  /** The record that a waiver or a deferred finding comes from, by its key: void when its scope starts over. */
  readonly recordedAs = new Map<object, string>();
  /** Those that are on the branch, oldest first. */
  commits: CommitLine[] = [];
  /** Commits that were, and that HEAD was before when another one was made. */
  readonly left = new Set<string>();
  /** What the pipeline itself said at its end. */
  report: string | null = null;
  ending: Ending | null = null;
  /** The moments worth keeping, oldest first. */
  readonly log: Moment[] = [];
  last: Moment | null = null;
  subject: ViewSubject = { kind: "none" };
}

/** The questions without an answer, oldest first. */
export function openQuestions({ open }: RunView) {
  return [...open.values()].flatMap(({ key, request }) =>
    request.do === "ask" ? [{ key, question: request.question }] : [],
  );
}

/** The one question that is shown. */
export function pendingQuestion(view: RunView) {
  return view.ending ? undefined : openQuestions(view)[0];
}

/** Whether the current phase counts this. */
export function isCounting(view: RunView, what: "design" | "task" | "bar"): boolean {
  return phaseNamed(view, view.phase)?.counts?.includes(what) ?? false;
}

/** A moment worth keeping in the progress file. */
export function tell(view: RunView, text: string): void {
  view.last = { at: view.lastAt, text };
  view.log.push(view.last);
}

/** Sets some fields of a value, as an expression. */
export function put<T extends object>(thing: T, fields: Partial<T>): T {
  return Object.assign(thing, fields);
}

/** A view is folded from JSON that another build or a model may have written: what is not an object has no fields. */
export function fieldsOf(thing: unknown): Readonly<Record<string, unknown>> {
  return typeof thing === "object" && thing !== null ? { ...thing } : {};
}

/** The id that a model gave it, or empty. */
export function idOf(thing: unknown): string {
  const { id } = fieldsOf(thing);
  return typeof id === "string" ? id : "";
}

/**
 * Rounds of fix and re-review before the person is asked: what the configuration says, else what the mode has. Undefined as
 * long as neither is known.
 */
export function roundLimits({ config, rounds }: RunView) {
  const review = fieldsOf(fieldsOf(config)["review"]);
  const limit = (set: unknown): number | undefined => (typeof set === "number" ? set : (rounds ?? undefined));
  return { plan: limit(review["maxPlanReviewCycles"]), task: limit(review["maxTaskReviewCycles"]) };
}

/** Why nothing checks the work, as the run has read it last; undefined when something does. Then no mark may look as if something had. */
export function uncheckedBecause({ config, tests, waivers }: RunView): UncheckedBecause | undefined {
  const { validationCommand, testCommand } = fieldsOf(config);
  if (isInUse(waivers, validationCommand)) return undefined;
  if (isInUse(waivers, testCommand)) return tests.isEmpty ? "empty" : undefined;
  if (validationCommand || testCommand) return "waived";
  return [validationCommand, testCommand].includes("") ? "none" : undefined;
}

/** Whether the person goes without the tests that there are. */
function areTestsLeftOut({ config, waivers }: RunView): boolean {
  const { testCommand } = fieldsOf(config);
  return Boolean(testCommand) && !isInUse(waivers, testCommand);
}

const isInUse = (waivers: RunView["waivers"], command: unknown): boolean =>
  Boolean(command) && !waivers.some((one) => one.command === command);

const isUnchecked = (view: RunView): boolean => uncheckedBecause(view) !== undefined;

/** Why no plain check mark may stand at a task that is complete (T1); empty when one may. */
export function doubtAbout(view: RunView, { testsPending }: { readonly testsPending: boolean }): Doubt | "" {
  if (isUnchecked(view)) return "not checked";
  if (areTestsLeftOut(view)) return "tests not run";
  return testsPending ? "tests pending" : "";
}

/** The same for all tasks together: `not checked`, `2 with tests pending`. */
export function doubtAboutAll(view: RunView): string {
  if (isUnchecked(view)) return "not checked";
  if (areTestsLeftOut(view)) return "tests not run";
  const pending = [...view.tasks.values()].filter((task) => task.testsPending).length;
  return pending === 0 ? "" : `${pending} with tests pending`;
}

/** What the configuration says, as the run has read it last; that is so unless it says otherwise. */
export function wantsTestFirst({ config }: RunView): boolean {
  return fieldsOf(config)["tdd"] !== "off";
}
