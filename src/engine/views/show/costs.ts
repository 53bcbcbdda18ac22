// What a run has cost, as one JSON object: in all, and by phase, task, role, model and dispatch. A stable contract: new
// fields may come; none goes or changes its meaning.

import type { DispatchFailureKind, Usage } from "../../../core/flow/dispatch.ts";
import type { Forecast } from "../../../core/money/experience.ts";
import type { Mode } from "../../../core/run/config.ts";
import type { Ending } from "../../../ports/journal.ts";
import { ceremonyRatio, type DispatchLine, isUnpriced, type Spend } from "../fold/ledger.ts";
import type { RunView } from "../fold/shape.ts";
import { taskSpend } from "../fold/tasks.ts";
import { type Actual, actualOf, type BudgetView, budgetOf } from "./money.ts";

/** A sum. Where no price is known `costUsd` is 0 and says nothing. */
export interface Sum extends Usage {
  readonly dispatches: number;
  readonly unpriced: boolean;
}

export type DispatchState = "finished" | "running" | "interrupted" | DispatchFailureKind;

export interface DispatchCost extends Usage {
  readonly key: string;
  readonly role: string;
  readonly step: string;
  readonly phase: string | null;
  readonly task: string | null;
  readonly model: string | null;
  readonly tries: number;
  readonly unpriced: boolean;
  readonly durationMs: number;
  readonly outcome: DispatchState;
}

export interface Costs {
  readonly version: 1;
  readonly runId: string;
  readonly goal: string;
  readonly mode: Mode | null;
  /** How the run ended; null as long as it has not. */
  readonly ended: Ending["how"] | null;
  readonly total: Sum;
  readonly phases: readonly ({ readonly phase: string } & Sum)[];
  readonly tasks: readonly ({ readonly task: string; readonly title: string } & Sum)[];
  readonly roles: readonly ({ readonly role: string } & Sum)[];
  readonly models: readonly ({ readonly model: string } & Sum)[];
  readonly dispatches: readonly DispatchCost[];
  /** Spend outside implementation over total spend; null when nothing was spent. */
  readonly ceremonyRatio: number | null;
  /** Null until the run has read its configuration. */
  readonly budget: BudgetView | null;
  readonly forecast: (Forecast & Actual) | null;
}

/** `isAlive`: whether a process is at work on the run, so that what has no outcome runs. */
export function costsOf(view: RunView, isAlive: boolean): Costs {
  const { total, phases, tasks, roles, models, dispatches } = view.spend;
  return {
    version: 1,
    runId: view.runId,
    goal: view.goal,
    mode: view.mode,
    ended: view.ending?.how ?? null,
    total: sumOf(total),
    phases: [...phases].map(([phase, spend]) => ({ phase, ...sumOf(spend) })),
    tasks: [...tasks.keys()].map((task) => taskSum(view, task)),
    roles: [...roles].map(([role, spend]) => ({ role, ...sumOf(spend) })),
    models: [...models].map(([model, spend]) => ({ model, ...sumOf(spend) })),
    dispatches: [...dispatches.values()].map((line) => dispatchCost(view, line, isAlive)),
    ceremonyRatio: view.pipeline.isPlanned ? ceremonyRatio(view.spend) : null,
    budget: budgetOf(view),
    forecast: actualOf(view),
  };
}

function sumOf(spend: Spend): Sum {
  return { ...spend, unpriced: isUnpriced(spend) };
}

function taskSum(view: RunView, task: string): Costs["tasks"][number] {
  return { task, title: view.tasks.get(task)?.title ?? "", ...sumOf(taskSpend(view, task)) };
}

function dispatchCost(view: RunView, line: DispatchLine, isAlive: boolean): DispatchCost {
  const { key, role, name: step, phase, task, model, tries, usage } = line;
  const runs = isAlive && view.ending === null && view.running.has(key);
  const outcome = line.outcome ?? (runs ? "running" : "interrupted");
  const durationMs = line.earlierMs + line.ms;
  const what = { key, role, step, phase, task, model, tries, ...usage };
  return { ...what, unpriced: isUnpriced(usage), durationMs, outcome };
}
