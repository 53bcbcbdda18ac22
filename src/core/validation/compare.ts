// Compares two runs of the tests: which tests broke, which were red before, which no longer run.

import { namesIn, type Results } from "./results.ts";
import type { ComparedResults, SuiteVerdict } from "./suite-verdict.ts";

export const nothingCompared: ComparedResults = {
  broken: [],
  unfinished: [],
  preExisting: [],
  repaired: [],
  vanished: [],
  total: 0,
};

export function compare(before: Results, now: Results): ComparedResults {
  const failing = namesIn(now, "failed");
  const was = (name: string) => before.get(name);
  return {
    broken: failing.filter((name) => was(name) === "passed"),
    preExisting: failing.filter((name) => was(name) === "failed"),
    unfinished: failing.filter((name) => was(name) === undefined || was(name) === "skipped"),
    repaired: namesIn(now, "passed").filter((name) => was(name) === "failed"),
    vanished: [...before].filter(([name, state]) => state !== "skipped" && isGone(now.get(name))).map(([name]) => name),
    total: now.size,
  };
}

const isGone = (state: string | undefined): boolean => state === undefined || state === "skipped";

/** Nobody reads more names than these. */
const mostNames = 100;
export const short = (names: readonly string[]): readonly string[] => names.slice(0, mostNames);

export function shortened({
  broken,
  unfinished,
  preExisting,
  repaired,
  vanished,
  total,
  red,
}: SuiteVerdict): SuiteVerdict {
  return {
    broken: short(broken),
    unfinished: short(unfinished),
    preExisting: short(preExisting),
    repaired: short(repaired),
    vanished: short(vanished),
    total,
    red,
  };
}
