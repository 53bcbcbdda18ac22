// The test suite around a piece of work: what was red before it, and what the work broke. A test that fails is run once more
// before a task is blamed, alone if its runner can do that; one that passes then is flaky, which is reported and blocks nothing.

import type { CheckOutcome } from "../../core/flow/check.ts";
import { type Flow, record } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { isProven, passedCheck, type RequiredReceipt, requiredCheck, withReceipt } from "../../core/review/receipts.ts";
import { count, listed } from "../../core/text/format.ts";
import { advanced, type Baseline, type GoodRun, isEmpty, type Untested } from "../../core/validation/baseline.ts";
import type { Blame } from "../../core/validation/blame.ts";
import { type Cadence, isSuiteDue } from "../../core/validation/cadence.ts";
import { compare, short, shortened } from "../../core/validation/compare.ts";
import { namesIn, readResults } from "../../core/validation/results.ts";
import { isGood } from "../../core/validation/suite-verdict.ts";
import { warn } from "../work/consult.ts";
import type { Obstacle } from "../work/escalation.ts";
import { type Proof, validate } from "../work/proof.ts";
import { pass } from "../work/respond.ts";
import { blame } from "./blame.ts";
import { runSuite, type SuiteRun } from "./run-suite.ts";
import { type Commands, takeBaseline } from "./take-baseline.ts";

/** The suite while one piece of work is judged. It is always compared with what was known before that work. */
export interface Suite {
  readonly known: Baseline;
  /** Whether it runs for this work; else its tests are pending. */
  readonly isDue: boolean;
  latest: GoodRun | null;
}

/** What is known before the work. */
interface Before {
  readonly known: Baseline | null;
  /** No other work follows with whose tests its own could run. */
  readonly isAlone: boolean;
  /** Other work of the run is done. */
  readonly isLater: boolean;
}

/** Opens the suite for a piece of work. What an earlier piece left is used; else the tests are run before anything changes. */
export function* openSuite(commands: Commands & Cadence, { known, isAlone, isLater }: Before): Flow<Suite | null> {
  const { testCommand } = commands;
  if (testCommand === "") return null;
  const late = known !== null || isLater ? { replaces: known?.command ?? "", pending: known?.pending ?? [] } : null;
  const before = known?.command === testCommand ? known : yield* takeBaseline(commands, late);
  return { known: before, isDue: isAlone || isSuiteDue(commands, before.pending.length), latest: null };
}

/** The suite for work on top of what is known. It runs, whatever the cadence is. */
export const suiteFrom = (known: Baseline): Suite => ({ known, isDue: true, latest: null });

/** What is known when the work is done, for who comes next. Without a run of the tests, the work joins those that wait for one. */
export function knownAfter(suite: Suite, work: Untested | null): Baseline {
  const { known, latest } = suite;
  if (latest !== null) return advanced(known, latest);
  return work !== null && isPending(suite) ? { ...known, pending: [...known.pending, work] } : known;
}

/** What a tree is checked with, and whose work it is. */
export interface Checked {
  /** The quick check; empty for none. */
  readonly command: string;
  readonly suite: Suite | null;
}

/** The receipts of the quick check and of the suite, as far as there are these. One command that is both is run once. */
export function requiredChecks({ command, suite }: Checked): readonly RequiredReceipt[] {
  return [...requiredCheck(quickOf({ command, suite })), ...requiredSuite(suite)];
}

/** Without what the person goes without, and what the suite is anyway. */
function quickOf({ command, suite }: Checked): string {
  const isLeftOut = suite !== null && (suite.known.command === command || suite.known.waived.includes(command));
  return isLeftOut ? "" : command;
}

/** The commands that check the work, now or later. */
export function commandsOf(checked: Checked): readonly string[] {
  const quick = quickOf(checked);
  return [...(quick === "" ? [] : [quick]), ...(hasTests(checked.suite) ? [checked.suite.known.command] : [])];
}

/** Those that run for this work. */
export function dueCommands(checked: Checked): readonly string[] {
  const quick = quickOf(checked);
  return [...(quick === "" ? [] : [quick]), ...(isWatched(checked.suite) ? [checked.suite.known.command] : [])];
}

const hasTests = (suite: Suite | null): suite is Suite =>
  suite !== null && !suite.known.waived.includes(suite.known.command);

/** Whether there are tests that run for this work, and the person does not go without them. */
export const isWatched = (suite: Suite | null): suite is Suite => hasTests(suite) && suite.isDue;

/** Whether there are tests that are to run later. */
export const isPending = (suite: Suite | null): suite is Suite => hasTests(suite) && !suite.isDue;

function requiredSuite(suite: Suite | null): readonly RequiredReceipt[] {
  return isWatched(suite) ? requiredCheck(suite.known.command) : [];
}

/** What was run for this very tree, for who reviews it. */
export function evidenceFor({ receipts }: Proof, tree: string, checked: Checked): string[] {
  const { suite } = checked;
  const quick = requiredCheck(quickOf(checked));
  const passes = (command: string, what = " passes on this tree"): string => `\`${command}\`${what}.`;
  return [
    ...(quick.length > 0 && isProven(receipts, tree, quick) ? [passes(checked.command)] : []),
    ...(isWatched(suite) && isProven(receipts, tree, requiredSuite(suite))
      ? [passes(suite.known.command, countsOf(suite))]
      : []),
  ];
}

/** ` passes on this tree: 12 tests, all green except "a", which was red before the work` */
function countsOf({ known, latest }: Suite): string {
  const results = latest?.results;
  if (results === undefined) return " passes on this tree";
  if (latest?.isEmpty) return " finds no tests on this tree";
  const red = namesIn(results, "failed");
  const was = red.length === 1 ? "was" : "were";
  const { vanished } = compare(readResults(known.results ?? ""), results);
  return [
    ` passes on this tree: ${count(results.size, "test")}`,
    ...(red.length === 0 ? [] : [`all green except ${listed(red)}, which ${was} red before the work`]),
    ...(vanished.length === 0 ? [] : [goneText(vanished)]),
  ].join(", ");
}

const goneText = (tests: readonly string[]): string =>
  `and ${count(tests.length, "test")} that ran before ${tests.length === 1 ? "does" : "do"} not run now: ${listed(tests)}`;

/** The tests that were red before the work; null when none was, or nobody knows. */
export function redBefore(suite: Suite | null): { readonly command: string; readonly tests: readonly string[] } | null {
  if (suite === null || suite.known.results === null) return null;
  const tests = namesIn(readResults(suite.known.results), "failed");
  return tests.length === 0 ? null : { command: suite.known.command, tests };
}

export interface Work {
  /** The task's id; null for the whole. */
  readonly task: string | null;
  /** The tree before it; null when the work of the tasks alone is judged. */
  readonly start: Anchor | null;
  /** How the quick check is named. */
  readonly name?: string;
}

/** The quick check, then the suite: each unless its receipt is for this very tree. */
export function* checkTree(proof: Proof, tree: string, checked: Checked, work: Work): Flow<FailedTree | undefined> {
  const quick = { command: quickOf(checked), ...(work.name === undefined ? {} : { name: work.name }) };
  return (yield* validate(proof, tree, quick)) ?? (yield* testTree(proof, tree, checked.suite, work));
}

export type FailedTree = Obstacle<"validation" | "regression">;

export function* testTree(proof: Proof, tree: string, suite: Suite | null, work: Work): Flow<FailedTree | undefined> {
  if (!isWatched(suite) || isProven(proof.receipts, tree, requiredSuite(suite))) return undefined;
  const { command } = suite.known;
  const ran = yield* runSuite(suite.known);
  const { run, results, verdict, flaky, alone } = ran;
  const { broken, unfinished } = verdict;
  const by = isGood(verdict) ? [] : yield* blameFor(suite, ran, work);
  const culprits = by.map(({ task, tests }) => ({ task: `${task}`, tests: short(tests) }));
  const about = { task: work.task, command, tree, flaky: short(flaky), ...shortened(verdict) };
  const more = { ...(by.length === 0 ? {} : { by: culprits }), ...(isEmpty(run) ? { isEmpty: true as const } : {}) };
  yield* record({ type: "tests.compared", ...about, ...more });
  if (flaky.length > 0) yield* pass("test-flake", flakyNotice(command, flaky));
  const said = (tests: readonly string[]): string => `${alone === "pass" ? companyText : ""}${outputOf(run, tests)}`;
  if (by.length > 0) {
    const tests = [...broken, ...unfinished];
    return { kind: "regression", command, tests, output: said(tests), by };
  }
  if (broken.length > 0) return { kind: "regression", command, tests: broken, output: said(broken), by };
  if (!isGood(verdict)) return { kind: "validation", command, output: whyRed(run, suite.known) + said(unfinished) };
  if (suite.known.results !== null && results === undefined) yield* warn(unnamedText(command));
  if (run.tree === null) return undefined;
  suite.latest = { tree: run.tree, results, exitCode: run.exitCode, isEmpty: isEmpty(run) };
  proof.receipts = withReceipt(proof.receipts, passedCheck(command, run.tree));
  return undefined;
}

const companyText = "They pass when they run alone: something else in the suite makes them fail.\n";

/** What the output may not say: why a command proves nothing that ends well, or that finds no tests. */
function whyRed(run: CheckOutcome, { results }: Baseline): string {
  const before = count(readResults(results ?? "").size, "test");
  if (run.timedOut) return "It did not end in time (testTimeoutMinutes).\n";
  if (isEmpty(run)) return `No tests run now. Before this work: ${before}.\n`;
  if (!run.passed || run.tests?.reporter !== null) return "";
  return `The exit code is 0, but ${run.tests.why}: the command may have ended before its tests did. Before this work it reported ${before}.\n`;
}

const unnamedText = (command: string): string =>
  `\`${command}\` no longer reports which tests pass. Its exit code alone decides.`;

/** Tasks before this work that made something fail: possible only while their tests are pending. */
function* blameFor(
  { known, latest }: Suite,
  { run, verdict, alone }: SuiteRun,
  { start }: Work,
): Flow<readonly Blame[]> {
  // What was killed or cannot be started would be so again and again.
  if (known.pending.length === 0 || latest !== null || run.exitCode === null) return [];
  const failing = verdict.red ? [] : short([...verdict.broken, ...verdict.unfinished]);
  return yield* blame({ known, failing, failAlone: alone === "fail", start });
}

const flakyNotice = (command: string, flaky: readonly string[]) => ({
  id: "execute.flaky",
  title: "Flaky Tests",
  message: `Flaky, so no task is blamed: ${listed(flaky)}. Each failed once and passed once on the same tree (\`${command}\`).`,
});

/** What the failing tests said, and else the end of what the command printed. */
function outputOf({ tests, output }: CheckOutcome, names: readonly string[]): string {
  const failures = tests === undefined || tests.reporter === null ? [] : tests.failures;
  const own = failures.filter(({ test }) => names.includes(test));
  const others = names.filter((name) => !own.some(({ test }) => test === name));
  const texts = own.map((one) => `${one.test}\n${one.output}`);
  if (own.length > 0 && others.length === 0) return texts.join("\n\n");
  const whole = others.length === 0 ? output : `${count(others.length, "test")}: ${listed(others)}\n${output}`;
  return [...texts, whole].join("\n\n");
}
