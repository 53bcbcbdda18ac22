// How the tests are before any work.

import type { CheckOutcome } from "../../core/flow/check.ts";
import { check, type Flow, record, runTests } from "../../core/flow/flow.ts";
import { listed } from "../../core/text/format.ts";
import { type Baseline, isEmpty, resultsIn } from "../../core/validation/baseline.ts";
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

/** The quick check has to pass; red tests are fine as long as they have names. */
export function* takeBaseline({ validationCommand, testCommand: command }: Commands): Flow<Baseline> {
  const isSeparate = validationCommand !== "" && validationCommand !== command;
  const quick = isSeparate ? yield* firstRun(validationCommand, check, ({ passed }) => passed) : undefined;
  const run = yield* firstRun(command, runTests, isUsable);
  const waived = [...(isSeparate && quick === null ? [validationCommand] : []), ...(run === null ? [command] : [])];
  if (run === null) return { ...nothingKnown, command, waived };
  const { tests = unasked } = run;
  const results = resultsIn(run);
  const failing = results ? short(namesIn(results, "failed")) : [];
  const how = tests.reporter === null ? { reporter: null, why: tests.why } : { reporter: tests.reporter, why: "" };
  yield* record({ type: "tests.baseline", command, total: results?.size ?? 0, failing, ...how });
  if (failing.length > 0) yield* pass("test-preexisting", redNotice(command, failing));
  if (isEmpty(run)) yield* warn(emptyText(command));
  const known = { results: tests.reporter === null ? null : tests.results, exitCode: run.exitCode };
  return { ...nothingKnown, command, tree: run.tree ?? "", ...known, isEmpty: isEmpty(run), waived };
}

const nothingKnown = { tree: "", results: null, exitCode: null, isEmpty: false, pending: [] };

const emptyText = (command: string): string =>
  `\`${command}\` finds no tests. Until there are some, it checks nothing.`;

const redNotice = (command: string, failing: readonly string[]) => ({
  id: "execute.preexisting",
  title: "Red Before Any Work",
  message: `Red before any work, so no task is blamed (\`${command}\`): ${listed(failing)}.`,
});

function isUsable(run: CheckOutcome): boolean {
  const results = resultsIn(run);
  const hasNames = run.exitCode !== null && results !== undefined && namesIn(results, "failed").length > 0;
  return run.tree !== null && (run.passed || hasNames || isEmpty(run));
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
    yield* record({ type: "waiver", step: redId, what, command });
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
      `${uselessText(command, outcome)} So it cannot show what an agent breaks.`,
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
  if (timedOut && tests !== undefined)
    return `\`${command}\` does not end in time before any work (testTimeoutMinutes).`;
  const how = timedOut ? "does not end in time" : "fails";
  const names = tests === undefined ? "" : ", and does not say which tests are red";
  return `\`${command}\` ${how} before any work${names}.`;
}
