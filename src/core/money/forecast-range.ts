// A range from a handful of amounts: the usual value, and how far it may be off in either direction. It also estimates the remaining tasks from
// the cost of the finished ones.

import type { Difficulty } from "../flow/dispatch.ts";

export interface Range {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** What is beyond this, in dollars or milliseconds, was measured wrong; and sums of what is left stay finite. */
const believable = 1e9;

export function isBelievable(value: number): boolean {
  return value >= 0 && value <= believable;
}

/** From the 20th to the 80th percentile around the mean. Few amounts say little of the spread: then from half to twice. */
export function rangeOf(values: readonly number[]): Range | undefined {
  const sorted = values.filter(isBelievable).toSorted((left, right) => left - right);
  if (sorted.length === 0) return undefined;
  const expected = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  if (sorted.length < 3) return { low: expected / 2, expected, high: expected * 2 };
  return {
    low: Math.min(expected, percentile(sorted, 0.2)),
    expected,
    high: Math.max(expected, percentile(sorted, 0.8)),
  };
}

/** The share is below 1. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

export const nothing: Range = { low: 0, expected: 0, high: 0 };

export function plus(left: Range, right: Range): Range {
  return { low: left.low + right.low, expected: left.expected + right.expected, high: left.high + right.high };
}

export function product(left: Range, right: Range): Range {
  return { low: left.low * right.low, expected: left.expected * right.expected, high: left.high * right.high };
}

export function multiple({ low, expected, high }: Range, by: number): Range {
  return { low: low * by, expected: expected * by, high: high * by };
}

export interface RemainingCost {
  readonly lowUsd: number;
  readonly expectedUsd: number;
  readonly highUsd: number;
}

/** Null as long as no task is done. What came before the first task says nothing about the next. A difficulty of which none is done costs what the average task did. */
export function remainingCost(
  done: readonly { readonly complexity: Difficulty; readonly costUsd: number }[],
  left: readonly { readonly complexity: Difficulty }[],
): RemainingCost | null {
  const usable = done.filter(({ costUsd }) => isBelievable(costUsd));
  const costOf = (tasks: typeof usable): Range | undefined => rangeOf(tasks.map(({ costUsd }) => costUsd));
  const average = costOf(usable);
  if (!average) return null;
  const { low, expected, high } = left
    .map(({ complexity }) => costOf(usable.filter((task) => task.complexity === complexity)) ?? average)
    .reduce(plus, nothing);
  return { lowUsd: low, expectedUsd: expected, highUsd: high };
}
