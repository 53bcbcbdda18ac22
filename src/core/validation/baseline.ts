// What was known of the tests before a change, and what a run of them says about the change. The exit code always counts (T3).

import { z } from "zod";
import type { CheckOutcome } from "../flow/check.ts";
import { KeptTree } from "../flow/kept-tree.ts";
import { compare, nothingCompared } from "./compare.ts";
import { namesIn, type Results, readResults, type TestReport, writeResults } from "./results.ts";
import type { SuiteVerdict } from "./suite-verdict.ts";

/** A task that is complete, and for which the tests have not run yet. */
const Untested = z.object({
  task: z.int(),
  title: z.string(),
  commit: z.string(),
  /** The tree before it. */
  start: KeptTree,
});
export type Untested = z.infer<typeof Untested>;

export const Baseline = z.object({
  command: z.string(),
  /** The tree it was taken from, or that was last found good. */
  tree: z.string(),
  /** Each test by name; null where the runner says nothing of single tests: then the exit code is all there is. */
  results: z.string().nullable(),
  /** How the run ended that this is known from; null where nobody knows. */
  exitCode: z.int().nullable().default(null),
  /** There were no tests. */
  isEmpty: z.boolean().default(false),
  /** Commands that were red before any work and name no test: the person goes without them. */
  waived: z.array(z.string()),
  /** The tasks since, in their order. */
  pending: z.array(Untested).default([]),
});
export type Baseline = z.infer<typeof Baseline>;

type Run = Pick<CheckOutcome, "passed" | "exitCode"> & { readonly tests?: TestReport | undefined };

/** `others`: what is known of tests that this run left out. */
export function judgeSuite(known: Baseline, run: Run, others: Results = new Map()): SuiteVerdict {
  const now = resultsIn(run);
  if (known.results === null || now === undefined)
    return { ...nothingCompared, red: !run.passed || (known.results !== null && isSilent(run)) };
  const compared = compare(readResults(known.results), new Map([...others, ...now]));
  if (isEmpty(run)) return { ...compared, red: !known.isEmpty };
  return {
    ...compared,
    red: !run.passed && !explains(known, compared, { ...run, failing: namesIn(now, "failed").length }),
  };
}

/** Whether the runner says that there are no tests. */
export const isEmpty = ({ tests }: Pick<Run, "tests">): boolean =>
  tests !== undefined && tests.reporter !== null && tests.isEmpty === true;

/** Whether the command may have failed for something else than its tests. */
export const saysNotAll = ({ tests }: Pick<Run, "tests">): boolean =>
  tests !== undefined && tests.reporter !== null && tests.hasOthers === true;

/** Whether the runner ended well, and did not write the report that it was asked for: it may have ended before its tests did. */
const isSilent = ({ tests }: Run): boolean => tests !== undefined && tests.reporter === null && tests.isSilent === true;

/**
 * Whether tests that fail are all there is to an exit code. What was red before explains only a command that failed before too, and
 * never a crash: what the shell or a signal ends has a higher code than runners use, unless they count what fails.
 */
function explains(
  known: Baseline,
  { broken, unfinished }: Pick<SuiteVerdict, "broken" | "unfinished">,
  { failing, ...run }: Run & { readonly failing: number },
): boolean {
  const { exitCode } = run;
  const isNew = broken.length + unfinished.length > 0;
  if (exitCode === null || failing === 0) return false;
  if (saysNotAll(run)) return isNew;
  if (known.exitCode === null || exitCode === known.exitCode) return true;
  const isCrash = exitCode > highestOfRunners && exitCode !== failing;
  return !isCrash && (known.exitCode !== 0 || isNew);
}

const highestOfRunners = 125;

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

/** The second run, with flaky tests counted as passed. */
export function settledResults(second: Results, flaky: readonly string[]): Results {
  return new Map([...second, ...flaky.map((name) => [name, "passed"] as const)]);
}

/** The last run that was good. */
export interface GoodRun {
  readonly tree: string;
  readonly results: Results | undefined;
  readonly exitCode: number | null;
  readonly isEmpty: boolean;
}

/** From here on this is known: a test that this task added is watched in the next. */
export function advanced(known: Baseline, { tree, results, exitCode, isEmpty }: GoodRun): Baseline {
  const since = { ...known, tree, pending: [] };
  if (known.results === null || results === undefined) return since;
  return { ...since, results: writeResults(results), exitCode, isEmpty };
}
