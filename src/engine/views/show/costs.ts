// What a run has cost: as one JSON object, in all, and by phase, task, role, model and dispatch; and as `superteam costs`
// prints it. The object is a stable contract: new fields may come; none goes or changes its meaning.

import { tokensOf, type Usage } from "../../../core/flow/dispatch.ts";
import { count, duration, exactUsd, oneLine } from "../../../core/text/format.ts";
import { ceremonyRatio, type DispatchLine, isUnpriced } from "../fold/ledger.ts";
import type { RunView } from "../fold/shape.ts";
import { actualOf, budgetOf, budgetText, forecastAgainstActual } from "./money.ts";
import { type Column, left, right, tableLines } from "./table.ts";

export type Costs = ReturnType<typeof costsOf>;
export type Sum = Costs["total"];
type DispatchCost = ReturnType<typeof dispatchCost>;

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
    ceremonyRatio: view.pipeline.isPlanned ? ceremonyRatio(view) : null,
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

export function costLines(costs: Costs): readonly string[] {
  const { dispatches } = costs;
  const each = dispatches.length === 0 ? [] : tableLines(dispatchColumns, dispatches.map(dispatchCells));
  return apart([heading(costs), ...sums(costs, allAmounts), each, remarks(costs)]);
}

/** What fits where lines are short: the sums, with the tokens in one. */
export function shortCostLines(costs: Costs): readonly string[] {
  return apart([heading(costs), ...sums(costs, fewAmounts), remarks(costs)]);
}

function apart(sections: readonly (readonly string[])[]): readonly string[] {
  return sections.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function heading(costs: Costs): readonly string[] {
  const { runId, goal, mode, total, budget, forecast, ended, ceremonyRatio } = costs;
  return [
    `Run ${runId}: ${oneLine(goal, 120)}`,
    `Spent ${cost(total)} in ${count(total.dispatches, "agent call")}${mode === null ? "" : `, mode ${mode}`}`,
    ...(budget === null ? [] : [`Budget: ${budgetText(budget)}`]),
    ...(forecast === null ? [] : [forecastAgainstActual(forecast, ended !== null)]),
    ...(ceremonyRatio === null ? [] : [`Outside implementation: ${Math.round(ceremonyRatio * 100)} % of the cost`]),
  ];
}

/** The columns for one sum. */
interface Amounts {
  readonly columns: readonly Column[];
  readonly cells: (sum: Sum) => readonly string[];
}

const allAmounts: Amounts = {
  columns: ["calls", "input", "output", "cache read", "cache write", "cost"].map(right),
  cells: (sum) => [String(sum.dispatches), ...tokens(sum), cost(sum)],
};

const fewAmounts: Amounts = {
  columns: ["calls", "tokens", "cost"].map(right),
  cells: (sum) => [String(sum.dispatches), String(tokensOf(sum)), cost(sum)],
};

function sums(costs: Costs, { columns, cells }: Amounts): readonly (readonly string[])[] {
  const { phases, tasks, roles, models, total } = costs;
  const tables: readonly (readonly [string, readonly (readonly [string, Sum])[]])[] = [
    ["phase", [...phases.map((sum) => [sum.phase, sum] as const), ["total", total]]],
    ["task", tasks.map((sum) => [`${sum.task}. ${oneLine(sum.title, 40)}`, sum])],
    ["role", roles.map((sum) => [sum.role, sum])],
    ["model", models.map((sum) => [oneLine(sum.model, 60), sum])],
  ];
  return tables
    .filter(([, rows]) => rows.length > 0)
    .map(([what, rows]) =>
      tableLines(
        [left(what), ...columns],
        rows.map(([name, sum]) => [name, ...cells(sum)]),
      ),
    );
}

function tokens({ input, output, cacheRead, cacheWrite }: Sum | DispatchCost): readonly string[] {
  return [input, output, cacheRead, cacheWrite].map(String);
}

/** `~$0.2700` is partly an estimate. */
function cost({ costUsd, estimated, unpriced }: Sum | DispatchCost): string {
  if (unpriced) return "no price";
  return `${estimated ? "~" : ""}${exactUsd(costUsd)}`;
}

const dispatchColumns: readonly Column[] = [
  ...["phase", "task", "role", "step", "model"].map(left),
  ...["tries", "input", "output", "cache read", "cache write", "cost", "time"].map(right),
  left("outcome"),
];

function dispatchCells(line: DispatchCost): readonly string[] {
  const { phase, task, role, step, model, tries, durationMs, outcome } = line;
  const names = [phase ?? "", task ?? "", role, oneLine(step, 40), model === null ? "none" : oneLine(model, 60)];
  return [...names, String(tries), ...tokens(line), cost(line), duration(durationMs), outcome];
}

function remarks({ total, models, dispatches }: Costs): readonly string[] {
  const unpriced = models.filter((model) => model.unpriced).map(({ model }) => model);
  const cut = dispatches.some(({ estimated }) => estimated);
  return [
    ...(total.estimated || cut ? ["~ partly estimated: a model turn was cut before its usage was known"] : []),
    ...(unpriced.length === 0
      ? []
      : [`no price: ${unpriced.join(", ")} reported no cost; tokens and agent calls are limited instead`]),
  ];
}
