// How the tests are before any work, or when a command first runs that took another one's place.

import type { CheckOutcome } from "../../core/flow/check.ts";
import { check, type Flow, record, runTests } from "../../core/flow/flow.ts";
import { listed } from "../../core/text/format.ts";
import { type Baseline, isEmpty, resultsIn, saysNotAll, type Untested } from "../../core/validation/baseline.ts";
import { short } from "../../core/validation/compare.ts";
import { namesIn, type TestReport } from "../../core/validation/results.ts";
import type { AbortableQuestion } from "../work/ask.ts";
import { warn } from "../work/consult.ts";
import { tellChanged } from "../work/proof.ts";
import { escalate, pass } from "../work/respond.ts";

/** The quick check and the tests; empty for none. */
export interface Commands {
  readonly validationCommand: string;
  readonly testCommand: string;
}

/** Why a baseline is taken after some work: the tests had another command until now, or none. */
export interface LateStart {
  /** Empty for none. */
  readonly replaces: string;
  /** Tasks for which that command was still to run. */
  readonly pending: readonly Untested[];
}

/** The quick check has to pass; red tests are fine as long as they have names. `late` is null before any work. */
export function* takeBaseline(
  { validationCommand, testCommand: command }: Commands,
  late: LateStart | null,
): Flow<Baseline> {
  const isSeparate = validationCommand !== "" && validationCommand !== command;
  const quick = isSeparate ? yield* firstRun(validationCommand, check, ({ passed }) => passed, late) : undefined;
  const run = yield* firstRun(command, runTests, isUsable, late);
  const waived = [...(isSeparate && quick === null ? [validationCommand] : []), ...(run === null ? [command] : [])];
  if (run === null) return { ...nothingKnown, command, waived };
  const { tests = unasked } = run;
  const results = resultsIn(run);
  const failing = results ? short(namesIn(results, "failed")) : [];
  const how = tests.reporter === null ? { reporter: null, why: tests.why } : { reporter: tests.reporter, why: "" };
  const since = late === null ? {} : lateness(late, failing);
  yield* record({ type: "tests.baseline", command, total: results?.size ?? 0, failing, ...how, ...since });
  if (failing.length > 0) yield* pass("test-preexisting", redNotice(command, failing, late));
  if (isEmpty(run)) yield* warn(emptyText(command));
  const known = { results: tests.reporter === null ? null : tests.results, exitCode: run.exitCode };
  return { ...nothingKnown, command, tree: run.tree ?? "", ...known, isEmpty: isEmpty(run), waived };
}

const nothingKnown = { tree: "", results: null, exitCode: null, isEmpty: false, pending: [] };

/** Tasks that were never tested, and that what is red now may be from: nobody will know. */
function lateness({ replaces, pending }: LateStart, failing: readonly string[]) {
  const untested = failing.length === 0 ? [] : pending.map(({ task }) => `${task}`);
  return { replaces, ...(untested.length === 0 ? {} : { untested }) };
}

const emptyText = (command: string): string =>
  `\`${command}\` finds no tests. Until there are some, it checks nothing.`;

function redNotice(command: string, failing: readonly string[], late: LateStart | null) {
  const id = "execute.preexisting";
  const names = `(\`${command}\`): ${listed(failing)}.`;
  if (late === null)
    return { id, title: "Red Before Any Work", message: `Red before any work, so no task is blamed ${names}` };
  const message = `Red in their first run, which came after earlier tasks. It is not known whether one of these broke them ${names}`;
  return { id, title: "Red at Their First Run", message };
}

function isUsable(run: CheckOutcome): boolean {
  const results = resultsIn(run);
  const hasNames = run.exitCode !== null && results !== undefined && namesIn(results, "failed").length > 0;
  return run.tree !== null && (run.passed || (hasNames && !saysNotAll(run)) || isEmpty(run));
}

/** Runs a command for the first time; null when it is of no use and the person goes without it. */
function* firstRun(
  command: string,
  run: typeof runTests,
  isGoodEnough: (outcome: CheckOutcome) => boolean,
  late: LateStart | null,
): Flow<CheckOutcome | null> {
  for (;;) {
    const outcome = yield* run("baseline", command);
    yield* tellChanged(command, outcome);
    if (isGoodEnough(outcome)) return outcome;
    const ended = `the person ended the run ${late === null ? "before any work" : "when a new command failed"}`;
    const useless = uselessText(command, outcome, late === null ? "before any work" : "when it first runs");
    const way = yield* escalate("baseline-unusable", redQuestion(useless, outcome), { ended });
    if (way === "retry") continue;
    const what = `${useless} It checks nothing in this run`;
    yield* record({ type: "waiver", step: redId, what, command });
    return null;
  }
}

const unasked: TestReport = { reporter: null, why: "its results were not asked for" };
const redId = "execute.baseline";

function redQuestion(useless: string, outcome: CheckOutcome): AbortableQuestion<"retry" | "without"> {
  return {
    id: redId,
    title: outcome.tree === null ? "Files Keep Changing" : outcome.timedOut ? "Takes Too Long" : "Fails Already",
    message: [
      `${useless} So it cannot show what an agent breaks.`,
      outcome.output.trim() === "" ? "It printed nothing." : `Its last output:\n${outcome.output.slice(-1000)}`,
    ].join("\n"),
    options: [
      { key: "retry", label: "Run it again", hint: "after you have fixed the cause" },
      { key: "without", label: "Go without it", hint: "it checks nothing in this run; recorded as your decision" },
    ],
  };
}

function uselessText(command: string, { tree, timedOut, tests }: CheckOutcome, when: string): string {
  if (tree === null) return `The files changed while \`${command}\` ran.`;
  if (timedOut && tests !== undefined) return `\`${command}\` does not end in time ${when} (testTimeoutMinutes).`;
  const how = timedOut ? "does not end in time" : "fails";
  if (saysNotAll({ tests })) return `\`${command}\` fails ${when}, and not only its tests may be the reason.`;
  const names = tests === undefined ? "" : ", and does not say which tests are red";
  return `\`${command}\` ${how} ${when}${names}.`;
}
