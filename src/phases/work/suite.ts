// The test suite around a piece of work: what was red before it, and what the work broke. A test that fails is run once more
// before anybody is blamed, alone if its runner can do that; one that passes then is flaky, which is told and blocks nothing.

import type { CheckOutcome } from "../../core/flow/check.ts";
import { check, type Flow, record, runTests } from "../../core/flow/flow.ts";
import { isProven, passedCheck, type RequiredReceipt, requiredCheck, withReceipt } from "../../core/review/receipts.ts";
import { count, listed } from "../../core/text/format.ts";
import {
  advanced,
  type Baseline,
  flakyIn,
  judgeSuite,
  resultsIn,
  settledResults,
} from "../../core/validation/baseline.ts";
import { isGood, type SuiteVerdict } from "../../core/validation/compare.ts";
import { namesIn, type Results, type TestReport } from "../../core/validation/results.ts";
import type { AbortableQuestion } from "./ask.ts";
import type { Obstacle } from "./escalation.ts";
import { type Proof, tellChanged, validate } from "./proof.ts";
import { escalate, pass } from "./respond.ts";

/** The suite while one piece of work is judged. It is always compared with what was known before that work. */
export interface Suite {
  readonly known: Baseline;
  /** The last run that was good. */
  latest: { readonly tree: string; readonly results: Results | undefined } | null;
}

/** The quick check and the tests; empty for none. */
interface Commands {
  readonly validationCommand: string;
  readonly testCommand: string;
}

/** Opens the suite for a piece of work. What an earlier piece left is used; else the tests are run before anything changes. */
export function* openSuite(commands: Commands, known: Baseline | null): Flow<Suite | null> {
  const { testCommand } = commands;
  if (testCommand === "") return null;
  return { known: known?.command === testCommand ? known : yield* takeBaseline(commands), latest: null };
}

/** The suite for work on top of what is known. */
export const suiteFrom = (known: Baseline | null): Suite | null => (known === null ? null : { known, latest: null });

/** What is known when the work is done, for who comes next. */
export function knownAfter({ known, latest }: Suite): Baseline {
  return latest === null ? known : advanced(known, latest.tree, latest.results);
}

/** How things are before any work. The quick check has to pass; red tests are fine as long as they have names. */
function* takeBaseline({ validationCommand, testCommand: command }: Commands): Flow<Baseline> {
  const isSeparate = validationCommand !== "" && validationCommand !== command;
  const quick = isSeparate ? yield* firstRun(validationCommand, check, ({ passed }) => passed) : undefined;
  const run = yield* firstRun(command, runTests, isUsable);
  const waived = [...(isSeparate && quick === null ? [validationCommand] : []), ...(run === null ? [command] : [])];
  if (run === null) return { command, tree: "", results: null, waived };
  const { tests = unasked } = run;
  const results = resultsIn(run);
  const failing = results ? short(namesIn(results, "failed")) : [];
  const how = tests.reporter === null ? { reporter: null, why: tests.why } : { reporter: tests.reporter, why: "" };
  yield* record({ type: "tests.baseline", command, total: results?.size ?? 0, failing, ...how });
  if (failing.length > 0) yield* pass("test-preexisting", redNotice(command, failing));
  return { command, tree: run.tree ?? "", results: tests.reporter === null ? null : tests.results, waived };
}

const redNotice = (command: string, failing: readonly string[]) => ({
  id: "execute.preexisting",
  title: "Red Before Any Work",
  message: `Red before any work, so nobody is blamed for it (\`${command}\`): ${listed(failing)}.`,
});

function isUsable(run: CheckOutcome): boolean {
  const results = resultsIn(run);
  const hasNames = run.exitCode !== null && results !== undefined && namesIn(results, "failed").length > 0;
  return run.tree !== null && (run.passed || hasNames);
}

/** Runs a command before any work; null when it is of no use and the person goes without it. */
function* firstRun(
  command: string,
  run: typeof runTests,
  isGoodEnough: (outcome: CheckOutcome) => boolean,
): Flow<CheckOutcome | null> {
  for (;;) {
    const outcome = yield* run("baseline", command);
    yield* tellChanged(command, outcome);
    if (isGoodEnough(outcome)) return outcome;
    const ended = "the person ended the run before any work";
    const way = yield* escalate("baseline-unusable", redQuestion(command, outcome), { ended });
    if (way === "retry") continue;
    const what = `${uselessText(command, outcome)} It checks nothing in this run`;
    yield* record({ type: "waiver", step: redId, what });
    return null;
  }
}

const unasked: TestReport = { reporter: null, why: "its results were not asked for" };
const redId = "execute.baseline";

function redQuestion(command: string, outcome: CheckOutcome): AbortableQuestion<"retry" | "without"> {
  return {
    id: redId,
    title: outcome.tree === null ? "Files Keep Changing" : "Fails Already",
    message: [
      `${uselessText(command, outcome)} So it could not tell what an agent breaks.`,
      `Its last output:\n${outcome.output.slice(-1000)}`,
    ].join("\n"),
    options: [
      { key: "retry", label: "Run it again", hint: "after you have fixed the cause" },
      { key: "without", label: "Go without it", hint: "it checks nothing in this run; recorded as a waiver" },
    ],
  };
}

function uselessText(command: string, { tree, timedOut, tests }: CheckOutcome): string {
  if (tree === null) return `The files changed while \`${command}\` ran before any work.`;
  const how = timedOut ? "does not end in time" : "fails";
  const names = tests === undefined ? "" : ", and does not say which tests are red";
  return `\`${command}\` ${how} before any work${names}.`;
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

/** Whether there are tests, and the person does not go without them. */
export const isWatched = (suite: Suite | null): suite is Suite =>
  suite !== null && !suite.known.waived.includes(suite.known.command);

function requiredSuite(suite: Suite | null): readonly RequiredReceipt[] {
  return isWatched(suite) ? requiredCheck(suite.known.command) : [];
}

/** What was run for this very tree, for who reviews it. */
export function evidenceFor({ receipts }: Proof, tree: string, checked: Checked): string[] {
  const { suite } = checked;
  const quick = requiredCheck(quickOf(checked));
  const passes = (command: string, what = ""): string => `\`${command}\` passes on this tree${what}.`;
  return [
    ...(quick.length > 0 && isProven(receipts, tree, quick) ? [passes(checked.command)] : []),
    ...(isWatched(suite) && isProven(receipts, tree, requiredSuite(suite))
      ? [passes(suite.known.command, countsOf(suite))]
      : []),
  ];
}

/** `: 12 tests, 1 of them red as before` */
function countsOf({ latest }: Suite): string {
  const results = latest?.results;
  if (results === undefined) return "";
  const red = namesIn(results, "failed").length;
  return `: ${count(results.size, "test")}${red === 0 ? "" : `, ${red} of them red since before the work`}`;
}

export interface Work {
  /** The task's id; null for the whole. */
  readonly task: string | null;
  /** How the quick check is named. */
  readonly name?: string;
}

/** The quick check, then the suite: each unless its receipt is for this very tree. */
export function* checkTree(
  proof: Proof,
  tree: string,
  checked: Checked,
  { name, task }: Work,
): Flow<FailedTree | undefined> {
  const quick = { command: quickOf(checked), ...(name === undefined ? {} : { name }) };
  return (yield* validate(proof, tree, quick)) ?? (yield* testTree(proof, tree, checked.suite, task));
}

export type FailedTree = Obstacle<"validation" | "regression">;

function* testTree(proof: Proof, tree: string, suite: Suite | null, task: string | null): Flow<FailedTree | undefined> {
  if (!isWatched(suite) || isProven(proof.receipts, tree, requiredSuite(suite))) return undefined;
  const { command } = suite.known;
  const { run, results, verdict, flaky } = yield* runSuite(suite.known);
  const { broken, unfinished } = verdict;
  yield* record({ type: "tests.compared", task, command, tree, flaky: short(flaky), ...shortened(verdict) });
  if (flaky.length > 0) yield* pass("test-flake", flakyNotice(command, flaky));
  if (broken.length > 0) return { kind: "regression", command, tests: broken, output: outputOf(run, broken) };
  if (!isGood(verdict)) return { kind: "validation", command, output: outputOf(run, unfinished) };
  if (run.tree === null) return undefined;
  suite.latest = { tree: run.tree, results };
  proof.receipts = withReceipt(proof.receipts, passedCheck(command, run.tree));
  return undefined;
}

const flakyNotice = (command: string, flaky: readonly string[]) => ({
  id: "execute.flaky",
  title: "Flaky Tests",
  message: `Flaky, so nobody is blamed: ${listed(flaky)}. On one tree, it failed once and passed once (\`${command}\`).`,
});

interface SuiteRun {
  readonly run: CheckOutcome;
  readonly results: Results | undefined;
  readonly verdict: SuiteVerdict;
  readonly flaky: readonly string[];
}

function* runSuite(known: Baseline): Flow<SuiteRun> {
  const { command } = known;
  const first = yield* runTests("tests", command);
  yield* tellChanged(command, first);
  const seen = { run: first, results: resultsIn(first), verdict: judgeSuite(known, first), flaky: [] };
  // What was killed or cannot be started is no matter of luck.
  if (isGood(seen.verdict) || first.exitCode === null) return seen;
  const { red, broken: nowBroken, unfinished: nowUnfinished } = seen.verdict;
  const again = yield* runTests("tests-again", command, red ? [] : [...nowBroken, ...nowUnfinished]);
  yield* tellChanged(command, again);
  const others = seen.results && isPart(again) ? seen.results : new Map();
  const ran = resultsIn(again);
  const second = ran && new Map([...others, ...ran]);
  const flaky = seen.results && second ? flakyIn(seen.results, second) : [];
  const isSteady = (name: string): boolean => !flaky.includes(name);
  const { broken, unfinished, ...rest } = judgeSuite(known, again, others);
  const verdict = { ...rest, broken: broken.filter(isSteady), unfinished: unfinished.filter(isSteady) };
  return {
    run: again,
    results: second && settledResults(second, flaky),
    verdict,
    // No test explains why the first run failed: then it is the suite as a whole.
    flaky: flaky.length === 0 && isGood(verdict) ? [command] : flaky,
  };
}

const isPart = ({ tests }: CheckOutcome): boolean =>
  tests !== undefined && tests.reporter !== null && tests.isPart === true;

/** Nobody reads more names than these. */
const mostNames = 100;
const short = (names: readonly string[]): readonly string[] => names.slice(0, mostNames);

function shortened({ broken, unfinished, preExisting, repaired, vanished, total, red }: SuiteVerdict) {
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

/** What the failing tests said, and else the end of what the command printed. */
function outputOf({ tests, output }: CheckOutcome, names: readonly string[]): string {
  const failures = tests === undefined || tests.reporter === null ? [] : tests.failures;
  const own = failures.filter(({ test }) => names.includes(test));
  if (own.length === 0)
    return names.length === 0 ? output : `${count(names.length, "test")}: ${listed(names)}\n${output}`;
  return own.map((one) => `${one.test}\n${one.output}`).join("\n\n");
}
