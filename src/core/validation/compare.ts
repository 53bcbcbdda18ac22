// Two runs of the tests, held against each other: which broke, which were red before, which are there no longer.

import { namesIn, type Results } from "./results.ts";

/** A test run, held against what was known. Names are in the order of the report's names. */
export interface ComparedResults {
  /** Passed before, fail now. */
  readonly broken: readonly string[];
  /** Not known before, fail now: the change's own tests. */
  readonly unfinished: readonly string[];
  /** Failed before, and fail now. */
  readonly preExisting: readonly string[];
  /** Failed before, pass now. */
  readonly repaired: readonly string[];
  /** Were run before, and are not run any more. */
  readonly vanished: readonly string[];
  /** How many there are now. */
  readonly total: number;
}

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

/** What one run of the suite says. `red`: it failed in a way that no names explain. */
export type SuiteVerdict = ComparedResults & { readonly red: boolean };

/** Whether nothing that was not red before is red now. */
export function isGood({ red, broken, unfinished }: SuiteVerdict): boolean {
  return !red && broken.length === 0 && unfinished.length === 0;
}

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
