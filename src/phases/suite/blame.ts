// Attribution: when tests fail that several tasks may have broken, their commits are bisected in places of their own. Each run is a
// request, so that a run that is killed in between continues with the next.

import { changes, type Flow, record } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { listed } from "../../core/text/format.ts";
import type { Baseline } from "../../core/validation/baseline.ts";
import { type Blame, firstBad } from "../../core/validation/blame.ts";
import { warn } from "../work/consult.ts";
import { placeId, runElsewhere, type ScratchRun } from "./scratch-run.ts";

export interface Suspects {
  /** With the tasks whose tests are pending. */
  readonly known: Baseline;
  /** The names of what fails now; none where the command fails as a whole. */
  readonly failing: readonly string[];
  /** Whether they fail when they run alone as well; else all run each time. */
  readonly failAlone: boolean;
  /** The tree before the work that is being judged; null when that is the work of those tasks alone. */
  readonly start: Anchor | null;
}

/** Which of the tasks before the work that is judged made what fail. What the work itself broke is not in it. */
export function* blame(suspects: Suspects): Flow<readonly Blame[]> {
  const { known, failing, start } = suspects;
  const { pending } = known;
  const runs: Runs = new Map();
  const found = new Map<number, string[]>();
  for (const test of failing.length === 0 ? [known.command] : failing) {
    const step = yield* bisect(pending.length + (start === null ? 0 : 1), (one) => isBad(suspects, runs, one, test));
    found.set(step, [...(found.get(step) ?? []), test]);
  }
  const lost = lostIn(runs);
  if (lost !== undefined) return yield* nobody(lost);
  if (runs.size > 0) found.set(0, yield* withoutUnclear(suspects, runs, found.get(0) ?? []));
  const blamed: Blame[] = [];
  for (const [step, { task, title, commit, start: before }] of pending.entries()) {
    const tests = found.get(step) ?? [];
    if (tests.length === 0) continue;
    // Only the last one is not tried: its work is what is in the tree.
    const diff = ranIn(runs, step)?.diff ?? (yield* changes("blamed", before)).diff;
    blamed.push({ task, title, commit, tests, diff });
  }
  return blamed;
}

/** Why a step was not tried: there was no place for it, or the tests did not say which of them fail, twice. */
type Lost = "no place" | "silent";

/** What was found out after each step. */
type Runs = Map<number, ScratchRun | Lost>;

const lostIn = (runs: Runs): Lost | undefined => [...runs.values()].find((run) => typeof run === "string");

function ranIn(runs: Runs, step: number): ScratchRun | undefined {
  const run = runs.get(step);
  return typeof run === "string" ? undefined : run;
}

/** Half of what a search needs blames the wrong one. */
function* nobody(lost: Lost): Flow<readonly Blame[]> {
  if (lost === "silent") yield* warn(silentText);
  else yield* record({ type: "waiver", step: placeId, what: `The tests could not run in a worktree: ${loss}` });
  return [];
}

const silentText =
  "superteam cannot find out which task broke the tests. In a worktree they end without saying which tests fail.";

/** What fails in a place even before the first task says nothing about it: the place lacks something that the tests need. */
function* withoutUnclear(suspects: Suspects, runs: Runs, tests: readonly string[]): Flow<string[]> {
  const clear: string[] = [];
  for (const test of tests) if (!(yield* isBad(suspects, runs, beforeAll, test))) clear.push(test);
  const unclear = tests.filter((test) => !clear.includes(test));
  if (unclear.length > 0) yield* warn(unclearText(unclear));
  return clear;
}

const unclearText = (tests: readonly string[]): string =>
  `superteam cannot find out which task broke ${listed(tests)}. In a worktree they fail even without the tasks whose tests were pending. If the worktree lacks something that the tests need, set worktree.setup or worktree.copy.`;

const beforeAll = -1;

function* bisect(steps: number, isBadAfter: (step: number) => Flow<boolean>): Flow<number> {
  const search = firstBad(steps);
  let turn = search.next();
  while (!turn.done) turn = search.next(yield* isBadAfter(turn.value));
  return turn.value;
}

/** Each tree is tried once, for all tests that are of interest. */
function* isBad(suspects: Suspects, runs: Runs, step: number, test: string): Flow<boolean> {
  // There is nothing more to find out then, and nobody is asked a second time.
  if (lostIn(runs) !== undefined) return true;
  const run = runs.get(step) ?? (yield* tryAfter(suspects, step));
  runs.set(step, run);
  if (typeof run === "string") return true;
  const { passed, results } = run;
  return results === undefined || suspects.failing.length === 0 ? !passed : results.get(test) === "failed";
}

/** Once more where it crashed: that says nothing about the test. */
function* tryAfter(suspects: Suspects, step: number): Flow<ScratchRun | Lost> {
  for (const again of ["", "-again"]) {
    const run = yield* runAfter(suspects, step, again);
    if (run === null) return "no place";
    if (run.results !== undefined || suspects.failing.length === 0) return run;
  }
  return "silent";
}

/** The tree after a task is the one before the next. */
function runAfter(suspects: Suspects, step: number, again: string): Flow<ScratchRun | null> {
  const { known, failing, failAlone, start } = suspects;
  const { command, pending } = known;
  const [own, next] = [pending[step], pending[step + 1]];
  const after = next?.start ?? start;
  if (after === null) throw new Error(`no tree is known after step ${step} of ${pending.length}`);
  const name = `blame-${own === undefined ? "before" : own.task}${again}`;
  const since = own === undefined ? {} : { since: own.start };
  return runElsewhere(after, { place: name, name, command, only: failAlone ? failing : [], loss, ...since });
}

const loss = "it stays unknown which task broke the tests";
