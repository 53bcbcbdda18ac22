// One verdict about the suite on a tree. What fails runs once more, alone if its runner can do that. What fails alone too is broken;
// what passes alone counts as flaky only once it has passed with all other tests too: else the suite is red, and stays so.

import type { CheckOutcome } from "../../core/flow/check.ts";
import { type Flow, runTests } from "../../core/flow/flow.ts";
import { type Baseline, flakyIn, judgeSuite, resultsIn, settledResults } from "../../core/validation/baseline.ts";
import type { Results } from "../../core/validation/results.ts";
import { isGood, type SuiteVerdict } from "../../core/validation/suite-verdict.ts";
import { tellChanged } from "../work/proof.ts";

export interface SuiteRun {
  /** The last one. If the verdict is good, it was of all tests. */
  readonly run: CheckOutcome;
  readonly results: Results | undefined;
  readonly verdict: SuiteVerdict;
  readonly flaky: readonly string[];
  /** What the tests that fail do without the others; `unknown` where nobody tried. */
  readonly alone: "fail" | "pass" | "unknown";
}

export function* runSuite(known: Baseline): Flow<SuiteRun> {
  const first = yield* once("tests", known);
  const verdict = judgeSuite(known, first);
  const seen = { run: first, results: resultsIn(first), verdict, flaky: [], alone: "unknown" as const };
  // What was killed or cannot be started is no matter of luck.
  if (isGood(verdict) || first.exitCode === null) return seen;
  const failing = verdict.red ? [] : [...verdict.broken, ...verdict.unfinished];
  const again = yield* once("tests-again", known, failing);
  const ran = resultsIn(again);
  const isBroken = failing.some((name) => ran?.get(name) === "failed");
  // What some tests exit with may be about another matter, such as how much of the code they cover.
  if (!isPart(again) || isBroken)
    return { ...judgeAgain(known, first, again), alone: failing.length > 0 ? "fail" : "unknown" };
  return { ...judgeAgain(known, first, yield* once("tests-together", known)), alone: "pass" };
}

function* once(name: string, { command }: Baseline, only: readonly string[] = []): Flow<CheckOutcome> {
  const run = yield* runTests(name, command, only);
  yield* tellChanged(command, run);
  return run;
}

const isPart = ({ tests }: CheckOutcome): boolean =>
  tests !== undefined && tests.reporter !== null && tests.isPart === true;

/** Of two runs on one tree. */
function judgeAgain(known: Baseline, first: CheckOutcome, again: CheckOutcome): Omit<SuiteRun, "alone"> {
  const seen = resultsIn(first);
  const others: Results = seen && isPart(again) ? seen : new Map();
  const ran = resultsIn(again);
  const second = ran && new Map([...others, ...ran]);
  const flaky = seen && second ? flakyIn(seen, second) : [];
  const isSteady = (name: string): boolean => !flaky.includes(name);
  const { broken, unfinished, ...rest } = judgeSuite(known, again, others);
  const verdict = { ...rest, broken: broken.filter(isSteady), unfinished: unfinished.filter(isSteady) };
  return {
    run: again,
    results: second && settledResults(second, flaky),
    verdict,
    // No test explains why the first run failed: then it is the suite as a whole.
    flaky: flaky.length === 0 && isGood(verdict) ? [known.command] : flaky,
  };
}
