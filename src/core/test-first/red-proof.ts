// Whether a task was built test first, proved by two runs of the suite: with its tests but without its change, where they have to
// fail, and with both, where they have to pass. What an agent says about it does not count.

import type { CheckOutcome } from "../flow/check.ts";
import { namesIn, partsOf, type Results } from "../validation/results.ts";

/** The suite on the sources from before the task, with the task's tests. */
export interface WithoutChange extends Pick<CheckOutcome, "passed" | "exitCode"> {
  /** Undefined where it says nothing of single tests. */
  readonly results: Results | undefined;
}

export interface TestRuns {
  readonly command: string;
  /** What was known before the task; undefined where only the exit code tells. */
  readonly before: Results | undefined;
  readonly without: WithoutChange;
  /** On the task's own tree, where the suite has passed. */
  readonly after: Results | undefined;
}

/** `why` is empty if it is proved. */
export interface TestFirstProof {
  readonly red: readonly string[];
  readonly green: readonly string[];
  readonly why: string;
}

export function proveByRuns({ command, before, without, after }: TestRuns): TestFirstProof {
  const unproved = (why: string): TestFirstProof => ({ red: [], green: [], why });
  const { passed, exitCode, results } = without;
  if (passed) return unproved(`\`${command}\` passes without the change: no test needs it.`);
  if (exitCode === null) return unproved(`\`${command}\` does not end by itself without the change.`);
  const failed = results === undefined ? [] : namesIn(results, "failed");
  const red = failed.length === 0 ? [command] : failed.filter((name) => !wasRed(before, name));
  if (red.length === 0) return unproved("Without the change only tests fail that failed before.");
  if (after === undefined) return { red, green: [command], why: "" };
  // A test file that cannot even be loaded without the change has no results there. Where no failure has a name, that may be all of them.
  const isNew = (name: string): boolean =>
    results?.get(name) !== "passed" && (failed.length > 0 || before?.get(name) !== "passed");
  const green = namesIn(after, "passed").filter(isNew);
  if (green.length === 0) return unproved("No test that fails without the change passes with it.");
  return { red, green, why: "" };
}

const wasRed = (before: Results | undefined, name: string): boolean => before?.get(name) === "failed";

/**
 * Whether tests may fail without the change because of where they ran: nothing passes there, or what fails passed before and is in no
 * file that the task changed.
 */
export function isDoubtful({ before, without: { results } }: TestRuns, changed: readonly string[]): boolean {
  if (results === undefined || namesIn(results, "passed").length === 0) return true;
  const isLost = (name: string): boolean => results.get(name) !== "passed" && !changed.includes(partsOf(name)[0] ?? "");
  return before !== undefined && namesIn(before, "passed").some(isLost);
}

/** What of the green tests passes in such a place, too, with the change. */
export function greenIn({ passed, results }: WithoutChange, green: readonly string[]): readonly string[] {
  if (results === undefined) return passed ? green : [];
  return green.filter((name) => results.get(name) === "passed");
}
