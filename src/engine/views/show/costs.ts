// What a run has cost, as one JSON object: in all, and by phase, task, role, model and dispatch. A stable contract: new
// fields may come; none goes or changes its meaning.

import type { Usage } from "../../../core/flow/dispatch.ts";
import { ceremonyRatio, type DispatchLine, isUnpriced } from "../fold/ledger.ts";
import type { RunView } from "../fold/shape.ts";
import { actualOf, budgetOf } from "./money.ts";

export type Costs = ReturnType<typeof costsOf>;
export type Sum = Costs["total"];
export type DispatchCost = ReturnType<typeof dispatchCost>;

/** `isAlive`: whether a process is at work on the run, so that what has no outcome runs. */
export function costsOf(view: RunView, isAlive: boolean) {
  const { total, phases, tasks, roles, models, dispatches } = view.spend;
  return {
    version: 1,
    runId: view.runId,
    goal: view.goal,
    mode: view.mode,
    // Null as long as the run has not ended.
    ended: view.ending?.how ?? null,
    total: priced(total),
    phases: [...phases].map(([phase, spend]) => ({ phase, ...priced(spend) })),
    tasks: [...tasks].map(([task, spend]) => ({ task, title: view.tasks.get(task)?.title ?? "", ...priced(spend) })),
    roles: [...roles].map(([role, spend]) => ({ role, ...priced(spend) })),
    models: [...models].map(([model, spend]) => ({ model, ...priced(spend) })),
    dispatches: [...dispatches.values()].map((line) => dispatchCost(view, line, isAlive)),
    // Spend outside implementation over total spend; null when nothing was spent.
    ceremonyRatio: view.pipeline.isPlanned ? ceremonyRatio(view.spend) : null,
    // Null until the run has read its configuration.
    budget: budgetOf(view),
    forecast: actualOf(view),
  };
}

/** Where no price is known `costUsd` is 0 and says nothing. */
function priced<T extends Usage>(usage: T): T & { readonly unpriced: boolean } {
  return { ...usage, unpriced: isUnpriced(usage) };
}

function dispatchCost(view: RunView, line: DispatchLine, isAlive: boolean) {
  const { key, role, name: step, phase, task, model, tries, usage } = line;
  const runs = isAlive && view.ending === null && view.running.has(key);
  const outcome = line.outcome ?? (runs ? ("running" as const) : ("interrupted" as const));
  const what = { key, role, step, phase, task, model, tries };
  return { ...what, ...priced(usage), durationMs: line.earlierMs + line.ms, outcome };
}
