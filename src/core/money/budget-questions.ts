// What the person is asked about the budget, with what they need to decide.

import { abortOption, type Question } from "../flow/question.ts";
import { usd } from "../text/format.ts";
import type { Amounts, Checkpoint, Limits, Unit } from "./budget.ts";
import type { RemainingCost } from "./forecast-range.ts";

/** How far the run has come; null before there is a plan. */
export interface Headway {
  readonly done: number;
  readonly total: number;
  readonly left: RemainingCost | null;
}

export interface Account {
  readonly spent: Amounts;
  readonly limits: Limits;
  readonly headway: Headway | null;
}

/** Nothing is recommended: without a person the run pauses. */
export function checkpointQuestion({ id, unit }: Checkpoint, account: Account): Question {
  const common = { id, kind: "select", message: message(id, unit, account) } as const;
  if (id === "budget.limit") {
    return { ...common, title: "Over Budget", options: [{ key: "raise", label: "Raise limit" }, abortOption] };
  }
  return { ...common, title: "Budget Checkpoint", options: [{ key: "continue", label: "Continue" }, abortOption] };
}

/** What the limit is raised to. */
export function amountQuestion(unit: Unit, { spent, limits }: Account): Question {
  const suggested = Math.max(limits.hard[unit], spent[unit]) * 2;
  return {
    id: "budget.amount",
    kind: "input",
    title: "Raise limit",
    message: `${amount(unit, spent[unit])} ${were[unit]}. Raise the limit to how many ${names[unit]} for the whole run?`,
    placeholder: String(unit === "usd" ? Math.ceil(suggested) : suggested),
    above: spent[unit],
  };
}

const names: Readonly<Record<Unit, string>> = { usd: "dollars", tokens: "tokens", dispatches: "agent calls" };
const were: Readonly<Record<Unit, string>> = { usd: "is spent", tokens: "are used", dispatches: "were made" };
/** Where the configuration has the limit, under `costs`. */
export const limitKeys = {
  usd: "hardLimitUsd",
  tokens: "unpricedTokens",
  dispatches: "unpricedDispatches",
} as const satisfies Readonly<Record<Unit, string>>;

function message(id: Checkpoint["id"], unit: Unit, { spent, limits, headway }: Account): string {
  const amounts = `${amount(unit, spent[unit])} of ${amount(unit, limits.hard[unit])}`;
  const lines = id === "budget.limit" ? over(unit, amounts) : [`${amounts} is spent.`, near[id]];
  return [...lines, ...(headway === null ? [] : [progress(headway)])].join("\n");
}

const near: Readonly<Record<"budget.warn" | "budget.near", string>> = {
  "budget.warn": "You are asked once more shortly before the limit.",
  "budget.near": "At the limit nothing new starts, and running agents are stopped.",
};

function over(unit: Unit, amounts: string): readonly string[] {
  const headline = unit === "usd" ? `Cost budget exceeded (${amounts})` : `Budget exceeded (${amounts})`;
  const why = unit === "usd" ? [] : ["Their models report no cost, so the price is unknown."];
  return [
    headline,
    ...why,
    "Nothing starts until the limit is raised. Agents that were stopped in the middle start again then.",
    `Raise the limit here; or close this${raisedLater(unit)}.`,
  ];
}

/** A run that was started with `--budget` keeps it: the configuration would change nothing. */
function raisedLater(unit: Unit): string {
  if (unit === "usd") return " and run: superteam resume --budget <dollars>";
  return `, raise costs.${limitKeys[unit]} in your configuration and run superteam resume`;
}

function progress({ done, total, left }: Headway): string {
  const rest = left === null ? "" : ` What is left is expected to cost ${usd(left.lowUsd)} to ${usd(left.highUsd)}.`;
  return `Tasks done: ${done} of ${total}.${rest}`;
}

export function amount(unit: Unit, value: number): string {
  if (unit === "usd") return usd(value);
  return `${value.toLocaleString("en-US")} ${names[unit]}`;
}
