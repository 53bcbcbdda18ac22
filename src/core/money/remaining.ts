// What the tasks that are left will cost, from what those that are done did. What came before the first task is spent and
// says nothing about them.

import type { Difficulty } from "../flow/dispatch.ts";
import { isBelievable, nothing, plus, type Range, rangeOf } from "./forecast-range.ts";

export interface RemainingCost {
  readonly lowUsd: number;
  readonly expectedUsd: number;
  readonly highUsd: number;
}

/** Null as long as no task is done. A difficulty of which none is done costs what the average task did. */
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
