// What a run has cost, as `superteam costs` prints it.

import { budgetText } from "./budget.ts";
import type { Costs, DispatchCost, Sum } from "./costs.ts";
import { forecastAgainstActual } from "./forecast.ts";
import { count, duration, oneLine } from "./format.ts";
import { type Column, left, right, tableLines } from "./table.ts";

const amounts = ["dispatches", "input", "output", "cache read", "cache write", "cost"].map(right);

export function costLines(costs: Costs): readonly string[] {
  const byTask = costs.tasks.map(({ task, title, ...sum }) => [`${task}. ${oneLine(title, 40)}`, ...cells(sum)]);
  const sections: readonly (readonly string[])[] = [
    heading(costs),
    sums("phase", [
      ...costs.phases.map(({ phase, ...sum }) => [phase, ...cells(sum)]),
      ["total", ...cells(costs.total)],
    ]),
    sums("task", byTask),
    sums(
      "role",
      costs.roles.map(({ role, ...sum }) => [role, ...cells(sum)]),
    ),
    sums(
      "model",
      costs.models.map(({ model, ...sum }) => [oneLine(model, 60), ...cells(sum)]),
    ),
    costs.dispatches.length === 0 ? [] : tableLines(dispatchColumns, costs.dispatches.map(dispatchCells)),
    remarks(costs),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function heading(costs: Costs): readonly string[] {
  const { runId, goal, mode, total, budget, forecast, ended, ceremonyRatio } = costs;
  return [
    `Run ${runId}: ${oneLine(goal, 120)}`,
    `Spent ${cost(total)} in ${count(total.dispatches, "dispatch", "dispatches")}${mode === null ? "" : `, mode ${mode}`}`,
    ...(budget === null ? [] : [`Budget: ${budgetText(budget)}`]),
    ...(forecast === null ? [] : [forecastAgainstActual(forecast, ended !== null)]),
    ...(ceremonyRatio === null ? [] : [`Outside implementation: ${Math.round(ceremonyRatio * 100)} % of the cost`]),
  ];
}

function sums(what: string, rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : tableLines([left(what), ...amounts], rows);
}

function cells(sum: Sum): readonly string[] {
  return [String(sum.dispatches), ...tokens(sum), cost(sum)];
}

function tokens({ input, output, cacheRead, cacheWrite }: Sum | DispatchCost): readonly string[] {
  return [input, output, cacheRead, cacheWrite].map(String);
}

/** `~$0.2700` is partly an estimate. One dispatch may cost less than a cent, and the lines are to add up. */
function cost({ costUsd, estimated, unpriced }: Sum | DispatchCost): string {
  if (unpriced) return "no price";
  return `${estimated ? "~" : ""}$${costUsd.toFixed(4)}`;
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
      : [`no price: ${unpriced.join(", ")} reported no cost; tokens and dispatches are limited instead`]),
  ];
}
