// Something worth telling. The log, the status line, the progress file and the snapshot are folds over these
// and over the requests themselves.

import type { Forecast } from "../money/experience.ts";
import type { Breadth, Part } from "../plan/triage.ts";
import type { Verdict } from "../review/review.ts";
import type { Mode, ReviewMode } from "../run/config.ts";
import type { ScheduleEntry } from "../run/schedule.ts";
import type { FoundCommand } from "../validation/found-command.ts";
import type { ScriptChange } from "../validation/scripts/script-files.ts";
import type { SuiteVerdict } from "../validation/suite-verdict.ts";
import type { Difficulty } from "./dispatch.ts";
import type { Answerer } from "./question.ts";

export type TaskStatus = "pending" | "implementing" | "reviewing" | "fixing" | "complete" | "skipped" | "escalated";

export interface TaskLine {
  readonly id: string;
  readonly title: string;
  readonly complexity?: Difficulty;
  readonly files?: readonly string[];
  readonly criteria?: readonly string[];
  /** Ids of requirements. */
  readonly covers?: readonly string[];
  /** Ids of tasks. */
  readonly dependsOn?: readonly string[];
}

/** A reviewer's verdict and findings. */
export interface ReviewFact {
  readonly role: string;
  readonly verdict: Verdict;
  readonly findings: readonly string[];
}

/** The content of each type of fact. */
interface Facts {
  /** How much process the run has: what was proposed, and what the person (or a flag) made of it. */
  readonly triaged: {
    readonly mode: Mode;
    readonly proposed: Mode;
    readonly reason: string;
    readonly breadth: Breadth;
    readonly parts: readonly Part[];
    /** Rounds of fix and re-review before the person is asked, unless the configuration says otherwise. */
    readonly rounds: number;
    /** How many files the scout expects to change; unset where no scout proposed the mode. */
    readonly files?: number;
  };
  /** A part of a run in batches begins; they count from 1. */
  readonly "part.started": { readonly part: number; readonly of: number; readonly title: string };
  /** A loop goes round once more: phases that were not in the schedule from the start. */
  readonly "schedule.appended": { readonly entries: readonly ScheduleEntry[] };
  readonly forecast: { readonly forecast: Forecast };
  readonly "brainstorm.step": { readonly step: "scout" | "questions" | "approaches" | "design" | "done" };
  readonly "brainstorm.questions": { readonly questions: readonly unknown[] };
  readonly "brainstorm.answer": { readonly question: string; readonly answer: string };
  readonly "brainstorm.approaches": { readonly approaches: readonly unknown[]; readonly recommendation: string };
  readonly "brainstorm.approach": { readonly id: string; readonly title: string; readonly custom: boolean };
  readonly "brainstorm.sections": { readonly sections: readonly unknown[] };
  readonly "brainstorm.section": { readonly id: string; readonly approved: boolean };
  readonly "design.written": { readonly path: string };
  /** Without a path the plan was made by code and is in no document. */
  readonly "plan.written": { readonly path: string | null; readonly tasks: readonly TaskLine[] };
  /** The run is for one task out of a plan that was there before it, with so many tasks. */
  readonly "plan.loaded": { readonly path: string; readonly task: TaskLine; readonly of: number };
  /** One reviewer's verdict on the plan; `cycle` counts from 0, the first look. */
  readonly "plan.reviewed": ReviewFact & { readonly cycle: number };
  readonly "plan.approved": unknown;
  readonly configured: {
    readonly execution: "auto" | "checkpoint" | "batch";
    readonly batchSize: number | null;
    readonly review: ReviewMode;
  };
  /** How the tests were before any work; `reporter` is null, with the reason, where only the exit code tells. */
  readonly "tests.baseline": {
    readonly command: string;
    readonly total: number;
    readonly failing: readonly string[];
    readonly reporter: string | null;
    readonly why: string;
    /** Not before any work: the command that the tests had until now; empty for none. */
    readonly replaces?: string;
    /** Tasks for which that command was still to run, if tests are red: whether the tasks broke them is not known. */
    readonly untested?: readonly string[];
  };
  /** A run of the tests on the work of a task (null: the whole), against what was known before it. */
  readonly "tests.compared": SuiteVerdict & {
    readonly task: string | null;
    readonly command: string;
    readonly tree: string;
    readonly flaky: readonly string[];
    /** There are no tests. */
    readonly isEmpty?: true;
    /** Earlier tasks, for which the tests had not run, and what each of them broke. */
    readonly by?: readonly { readonly task: string; readonly tests: readonly string[] }[];
  };
  /** Whether a task was built test first: tests that fail without its change, and tests that pass with it; `why` not, if there are none. */
  readonly "tests.first": {
    readonly task: string;
    readonly red: readonly string[];
    readonly green: readonly string[];
    readonly why: string;
  };
  /** Files that a check's command runs from and that the work of a task (null: the final fixes) changed; see `ScriptChange`. */
  readonly "scripts.changed": ScriptChange & { readonly task: string | null };
  readonly "task.status": { readonly task: string; readonly status: TaskStatus; readonly round: number };
  readonly "review.finished": ReviewFact & { readonly task: string; readonly round: number };
  /** Findings that do not block this task: recorded, listed in the report, and handed to the final review. */
  readonly "findings.deferred": { readonly task: string; readonly findings: readonly string[] };
  readonly "task.settled": {
    readonly task: string;
    readonly status: "complete" | "skipped";
    readonly commit: string | null;
    readonly rounds: number;
    /** The tests have not run for it yet. */
    readonly testsPending?: true;
    /** What the implementer said of it, in a few sentences. */
    readonly said?: string;
    /** What one should know of it, and the findings that the implementer holds to be wrong: claims. */
    readonly concerns?: readonly string[] | undefined;
    readonly disputed?: readonly string[] | undefined;
  };
  /** What the writer of the final fixes or of the documentation said: claims. */
  readonly "writer.said": {
    readonly work: string;
    readonly said: string;
    readonly concerns: string[];
    readonly disputed: string[];
  };
  /** The final review over all tasks; `summary` is what the reviewer says of the whole. */
  readonly "final.reviewed": ReviewFact & { readonly round: number; readonly summary?: string };
  /** What of the repository takes effect from here on, as texts, and who said so (S2). */
  readonly trusted: {
    readonly hash: string;
    readonly config: string | null;
    readonly profiles: readonly { readonly role: string; readonly path: string; readonly text: string }[];
    readonly commands: readonly FoundCommand[];
    readonly by: Answerer;
  };
  /** `command`: the check that the person goes without. */
  readonly waiver: { readonly step: string; readonly what: string; readonly command?: string };
  readonly report: { readonly text: string };
  readonly warning: { readonly text: string };
}

/** The facts of one type, or of several. */
export type FactOf<T extends keyof Facts> = { [P in T]: { readonly type: P } & Facts[P] }[T];

export type Fact = FactOf<keyof Facts>;
