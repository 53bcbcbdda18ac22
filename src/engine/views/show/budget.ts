// The budget of a run as a person sees it: the limits, and how near they are.

import { raised } from "../../../core/money/budget.ts";
import { pendingQuestion, type RunView } from "../fold/shape.ts";
import { usd } from "./format.ts";

export interface BudgetView {
  readonly warnAtUsd: number;
  /** What holds now: the configuration's, or what the person raised it to. */
  readonly hardLimitUsd: number;
  /** What the person raised the limit to in this run; null when they did not. */
  readonly raisedToUsd: number | null;
  readonly leftUsd: number;
}

/** Null until a process has begun to work on the run. */
export function budgetOf(view: RunView): BudgetView | null {
  if (!view.limits) return null;
  const { warnUsd: warnAtUsd, hard } = raised(view.limits, view.raised);
  const raisedToUsd = view.raised.usd > 0 ? view.raised.usd : null;
  return { warnAtUsd, hardLimitUsd: hard.usd, raisedToUsd, leftUsd: Math.max(0, hard.usd - view.spend.total.costUsd) };
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
