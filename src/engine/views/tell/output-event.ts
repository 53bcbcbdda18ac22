// The shape of the `--json` lines: a stable contract. New fields and types may come; none goes or changes its meaning.

import type { CheckOutcome } from "../../../core/flow/check.ts";
import type { DispatchFailureKind, DispatchOutcome } from "../../../core/flow/dispatch.ts";
import type { FactOf } from "../../../core/flow/fact.ts";
import type { Failure } from "../../../core/flow/failure.ts";
import type { CheckRequest } from "../../../core/flow/flow.ts";
import type { Answerer, Question } from "../../../core/flow/question.ts";
import type { FileLines } from "../../../core/flow/repository.ts";
import type { Forecast } from "../../../core/money/experience.ts";
import type { ScheduleEntry } from "../../../core/run/schedule.ts";
import type { Doubt } from "../../../core/run/unchecked.ts";
import type { TurnUsage } from "../../../ports/agents.ts";
import type { Ending } from "../../../ports/journal.ts";
import type { ToolEvent } from "../fold/activity.ts";
import type { DispatchLine } from "../fold/ledger.ts";
import type { CommitLine, ReviewLine } from "../fold/shape.ts";
import type { Where } from "../fold/where.ts";
import type { BudgetView } from "../show/money.ts";

/** An event before it has its number. */
export type EventDraft = {
  /** The version: `core/run/event-schema.ts` says what holds in it. */
  readonly v: number;
  /** The journal entry it comes from, or the last one before it. */
  readonly entry: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly runId: string;
} & EventBody;

/** `seq` counts from 1, over all processes of a run. */
export type OutputEvent = EventDraft & { readonly seq: number };

type DispatchName = Pick<DispatchLine, "key" | "role" | "name" | "phase" | "task">;

export type EventBody =
  | {
      readonly type: "run.started";
      readonly pipeline: string;
      readonly goal: string;
      readonly resumed: boolean;
      readonly by: Answerer;
    }
  | FactOf<"triaged">
  | FactOf<"part.started">
  | FactOf<
      | "brainstorm.step"
      | "brainstorm.questions"
      | "brainstorm.answer"
      | "brainstorm.approaches"
      | "brainstorm.approach"
      | "brainstorm.sections"
      | "brainstorm.section"
      | "design.written"
    >
  | FactOf<"plan.written" | "plan.loaded">
  | { readonly type: "plan.approved" }
  | (FactOf<"configured"> & { readonly testFirst: boolean; readonly rounds: number | null })
  | ({ readonly type: "forecast"; readonly tasks: number; readonly budget: BudgetView | null } & Forecast)
  | ({
      readonly type: "phase.started";
      readonly label: string;
      readonly stage: string | null;
      /** Who does the work in it, as the schedule says. */
      readonly work: ScheduleEntry["type"] | null;
    } & Pick<Where, "phase" | "scope">)
  | ({
      readonly type: "phase.finished";
      readonly ok: boolean;
      readonly failure: Failure | null;
      readonly durationMs: number;
    } & Pick<Where, "phase" | "scope">)
  | ({ readonly type: "dispatch.started"; readonly tries: number } & DispatchName)
  | ({
      readonly type: "dispatch.finished";
      readonly failure: { readonly kind: DispatchFailureKind; readonly detail: string } | null;
      /** What the scout found; other answers are in the events they lead to. */
      readonly answer?: string;
    } & DispatchName &
      Pick<DispatchOutcome, "status" | "model" | "usage" | "durationMs" | "testFirst">)
  | ({ readonly type: "tool"; readonly action: string } & Pick<DispatchName, "key" | "role"> &
      Pick<ToolEvent, "state" | "name" | "failed">)
  | ({
      readonly type: "usage";
      readonly key: string;
      readonly role: string | null;
      readonly totalUsd: number;
    } & TurnUsage)
  | { readonly type: "question.asked"; readonly key: string; readonly id: string; readonly question: Question }
  | {
      readonly type: "question.answered";
      readonly key: string;
      readonly id: string;
      readonly answer: string;
      readonly by: Answerer;
    }
  | ({ readonly type: "check.finished"; readonly key: string } & Pick<CheckRequest, "name" | "command"> &
      Pick<CheckOutcome, "passed" | "exitCode" | "durationMs">)
  | ({
      readonly type: "review.finished";
      /** What was reviewed: the plan, one task, or all of them together. Only a task has an id. */
      readonly of: "plan" | "task" | "run";
      readonly task: string | null;
    } & ReviewLine)
  | FactOf<"tests.baseline" | "tests.compared" | "tests.first" | "scripts.changed">
  | FactOf<"task.status" | "findings.deferred" | "writer.said">
  | { readonly type: "task.started"; readonly task: string; readonly title: string | null }
  | (FactOf<"task.settled"> & { readonly doubt?: Doubt; readonly costUsd: number })
  | ({ readonly type: "commit.made"; readonly key: string; readonly message: string } & Pick<
      CommitLine,
      "sha" | "task" | "files"
    > & { readonly lines?: readonly FileLines[] })
  | FactOf<"warning">
  | { readonly type: "wait.started"; readonly key: string; readonly until: string; readonly suspends: boolean }
  | { readonly type: "wait.finished"; readonly key: string }
  | {
      readonly type: "run.suspended";
      readonly why: string;
      readonly question: Question | null;
      readonly costUsd: number;
    }
  | ({ readonly type: "run.finished"; readonly costUsd: number } & Ending);
