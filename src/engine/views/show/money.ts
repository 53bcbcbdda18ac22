// A run's money in words: what was spent, what the budget has left, and what was expected before the tasks were begun.

import type { Usage } from "../../../core/flow/dispatch.ts";
import { raised } from "../../../core/money/budget.ts";
import type { Forecast } from "../../../core/money/experience.ts";
import { count, duration, usd } from "../../../core/text/format.ts";
import { isUnpriced } from "../fold/ledger.ts";
import { pendingQuestion, type RunView } from "../fold/shape.ts";

/** `$1.90 (partly estimated)`; where no price is known that is said instead. */
export function spentText(usage: Usage): string {
  if (isUnpriced(usage)) return "an unknown amount (the model reports no cost)";
  return `${usd(usage.costUsd)}${usage.estimated ? " (partly estimated)" : ""}`;
}

/** `brainstorm $0.15, plan-write $0.20`; empty as long as nothing has cost anything. */
export function phaseCosts({ spend }: RunView): string {
  const paid = [...spend.phases].filter(([, { costUsd }]) => costUsd > 0);
  return paid.map(([phase, { costUsd }]) => `${phase} ${usd(costUsd)}`).join(", ");
}

/** A line, where there is something to say. */
export const headed = (heading: string, text: string): readonly string[] =>
  text === "" ? [] : [`${heading}: ${text}`];

/** `, $0.15` after a time or a number; nothing for what was free. */
export const alsoUsd = (costUsd: number): string => (costUsd === 0 ? "" : `, ${usd(costUsd)}`);

/** Which model did what: `provider/model 8 agent calls, $1.90; other/small 1 agent call, no price` */
export function modelCosts({ spend }: RunView): string {
  return [...spend.models]
    .map(([model, used]) => {
      const cost = isUnpriced(used) ? ", no price" : alsoUsd(used.costUsd);
      return `${model} ${count(used.dispatches, "agent call")}${cost}`;
    })
    .join("; ");
}

export type BudgetView = NonNullable<ReturnType<typeof budgetOf>>;

/** Null until a process has begun to work on the run. */
export function budgetOf(view: RunView) {
  if (!view.limits) return null;
  const { warnUsd: warnAtUsd, hard } = raised(view.limits, view.raised);
  // What holds now: the configuration's, or what the person raised it to.
  const hardLimitUsd = hard.usd;
  // What the person raised the limit to in this run; null when they did not.
  const raisedToUsd = view.raised.usd > 0 ? view.raised.usd : null;
  return { warnAtUsd, hardLimitUsd, raisedToUsd, leftUsd: Math.max(0, hardLimitUsd - view.spend.total.costUsd) };
}

/** `$18.10 left of $20.00; asks at $5.00` */
export function budgetText({ warnAtUsd, hardLimitUsd, raisedToUsd, leftUsd }: BudgetView): string {
  const raised = raisedToUsd === null ? "" : `, raised by you to ${usd(raisedToUsd)}`;
  const asks = warnAtUsd < hardLimitUsd ? `; asks at ${usd(warnAtUsd)}` : "";
  return `${usd(leftUsd)} left of ${usd(hardLimitUsd)}${raised}${asks}`;
}

/** Whether the run stands at its limit. A question on the way there is one like any other. */
export function isOverBudget(view: RunView): boolean {
  return ["budget.limit", "budget.amount"].includes(pendingQuestion(view)?.question.id ?? "");
}

/** `Forecast: 14 agent calls, about $1.20 ($0.60 to $2.40), 10m 00s to 25m 00s; based on 32 earlier agent calls` */
export function forecastText(forecast: Forecast): string {
  const { dispatches, lowMs, highMs, samples } = forecast;
  const basis =
    samples === 0
      ? "a guess, because there are no earlier agent calls"
      : `based on ${count(samples, "earlier agent call")}`;
  const time = `${duration(lowMs)} to ${duration(highMs)}`;
  return `Forecast: ${count(dispatches, "agent call")}, ${costText(forecast)}, ${time}; ${basis}`;
}

function costText({ dispatches, expectedUsd, lowUsd, highUsd, unpriced = 0 }: Forecast): string {
  if (unpriced > 0 && unpriced === dispatches) return "at an unknown cost";
  const known = `about ${usd(expectedUsd)} (${usd(lowUsd)} to ${usd(highUsd)})`;
  return unpriced === 0 ? known : `${known} without ${unpriced} by models that report no cost`;
}

/** What came of the forecast so far; null when none was made. */
export function actualOf({ forecast, spend }: RunView) {
  if (forecast === null) return null;
  // What was spent since the forecast was made.
  const since = spend.total.costUsd - forecast.spentUsd;
  // Sums of dollars are not exact: what is left of equal ones is nothing.
  const actualUsd = since < 1e-9 ? 0 : since;
  return { ...forecast, actualUsd, isWithin: actualUsd >= forecast.lowUsd && actualUsd <= forecast.highUsd };
}

/** The forecast beside what came: the report and `superteam costs` have it. */
export function forecastAgainstActual(forecast: NonNullable<ReturnType<typeof actualOf>>, hasEnded: boolean): string {
  const { actualUsd, isWithin, lowUsd } = forecast;
  if (!hasEnded) return `${forecastText(forecast)}; so far ${usd(actualUsd)}`;
  const where = isWithin ? "within the range" : `${actualUsd < lowUsd ? "below" : "above"} the range`;
  return `${forecastText(forecast)}; it came to ${usd(actualUsd)}, ${where}`;
}
