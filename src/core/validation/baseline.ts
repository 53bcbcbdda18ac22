// What was known of the tests before a change, and what a run of them says about the change: which broke, which were red
// before, which are there no longer. The exit code always counts (T3).

import { z } from "zod";
import type { CheckOutcome } from "../flow/check.ts";
import { namesIn, type Results, readResults, type TestReport, writeResults } from "./results.ts";

export const Baseline = z.object({
  command: z.string(),
  /** The tree it was taken from, or that was last found good. */
  tree: z.string(),
  /** Each test by name; null where the runner says nothing of single tests: then the exit code is all there is. */
  results: z.string().nullable(),
  /** Commands that were red before any work and name no test: the person goes without them. */
  waived: z.array(z.string()),
});
export type Baseline = z.infer<typeof Baseline>;

/** A test run, held against what was known. Names are in the order of the report's names. */
export interface ComparedResults {
  /** Passed before, fail now. */
  readonly broken: readonly string[];
  /** Not known before, fail now: the change's own tests. */
  readonly unfinished: readonly string[];
  /** Failed before, and fail now. */
  readonly preExisting: readonly string[];
  /** Failed before, pass now. */
  readonly mended: readonly string[];
  /** Were run before, and are not run any more. */
  readonly vanished: readonly string[];
  /** How many there are now. */
  readonly total: number;
}

export const nothingCompared: ComparedResults = {
  broken: [],
  unfinished: [],
  preExisting: [],
  mended: [],
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
    mended: namesIn(now, "passed").filter((name) => was(name) === "failed"),
    vanished: [...before].filter(([name, state]) => state !== "skipped" && isGone(now.get(name))).map(([name]) => name),
    total: now.size,
  };
}

const isGone = (state: string | undefined): boolean => state === undefined || state === "skipped";

/** What one run of the suite says. `red`: it failed in a way that no names explain. */
export type SuiteVerdict = ComparedResults & { readonly red: boolean };

type Run = Pick<CheckOutcome, "passed" | "exitCode"> & { readonly tests?: TestReport | undefined };

export function judgeSuite(known: Baseline, run: Run): SuiteVerdict {
  const now = resultsIn(run);
  if (known.results === null || now === undefined) return { ...nothingCompared, red: !run.passed };
  const compared = compare(readResults(known.results), now);
  const failing = compared.broken.length + compared.unfinished.length + compared.preExisting.length;
  return { ...compared, red: !run.passed && (failing === 0 || run.exitCode === null) };
}

/** Whether nothing that was not red before is red now. */
export function isGood({ red, broken, unfinished }: SuiteVerdict): boolean {
  return !red && broken.length === 0 && unfinished.length === 0;
}

/** Undefined where the runner said nothing of single tests. */
export function resultsIn({ tests }: Pick<Run, "tests">): Results | undefined {
  return tests === undefined || tests.reporter === null ? undefined : readResults(tests.results);
}

/** Of two runs on one tree: what failed in one of them only is flaky, and counts as passed. */
export function flakyIn(first: Results, second: Results): readonly string[] {
  const passes = (name: string, results: Results): boolean => results.get(name) === "passed";
  const names = [...namesIn(first, "failed"), ...namesIn(second, "failed")];
  return [...new Set(names)].filter((name) => passes(name, first) || passes(name, second));
}

/** The second run, with what is flaky taken for passed. */
export function settledResults(second: Results, flaky: readonly string[]): Results {
  return new Map([...second, ...flaky.map((name) => [name, "passed"] as const)]);
}

/** From here on this is known: a test that this task added is watched in the next. */
export function advanced(known: Baseline, tree: string, results: Results | undefined): Baseline {
  if (known.results === null || results === undefined) return { ...known, tree };
  return { ...known, tree, results: writeResults(results) };
}
