// The tests of the simulated repository: one per letter, which fails if the letter is spoilt (that of the second letter only if it
// runs with all others); one that was red before the run; and one that fails by chance.

import { type TestState, writeResults } from "../../../src/core/validation/results.ts";
import type { CheckRun, Checks } from "../../../src/ports/checks.ts";
import { goesWrong, type Machine } from "../machine/machine.ts";
import { effect } from "./trouble.ts";

export const spoilt = "spoilt";
export const isSpoilt = (text: string): boolean => text.split("\n").includes(spoilt);

const testOf = (path: string): string => `${path} › is signed`;
const social = testOf("letters/2.txt");

/** The letters in the tree that have tests. */
export function lettersOf({ hands }: Pick<Machine, "hands">): readonly string[] {
  return [1, 2, 3].map((id) => `letters/${id}.txt`).filter((path) => hands.read(path) !== undefined);
}

/** Whatever else is configured is the quick check. */
export const isSuite = (command: string): boolean => command === "suite";

/** Its commands name no files. */
export const noFiles: Checks["files"] = (command) => Promise.resolve({ command, names: [], programs: {} });

/** Asked for some tests alone, it runs these, but for the moody one: that one it cannot select. */
export function runSuite(machine: Machine, only: readonly string[], hands = machine.hands): Promise<CheckRun> {
  const given = hands === machine.hands ? machine.lookedAt : undefined;
  return effect(machine, "the tests", () => {
    const ended = { exitCode: 1, signal: null, timedOut: false, durationMs: 1 };
    if (goesWrong(machine, "tests crash")) {
      return { ...ended, output: "out of memory", tests: { reporter: null, why: "it wrote no report" } };
    }
    const isUnlucky = goesWrong(machine, "test fails by chance");
    const letters = lettersOf({ hands }).map((path): [string, TestState] => [
      testOf(path),
      isSpoilt(hands.read(path) ?? "") ? "failed" : "passed",
    ]);
    if (given !== undefined && letters.every(([, state]) => state === "passed")) machine.tested.add(given);
    const all: readonly [string, TestState][] = [
      ...letters,
      ["old › was red before", "failed"],
      ["moody › depends", isUnlucky ? "failed" : "passed"],
    ];
    const isPart = only.length > 0 && only.every((test) => letters.some(([name]) => name === test));
    const alone = all.filter(([name]) => only.includes(name));
    const results = new Map(isPart ? alone.map(([name, state]) => [name, name === social ? "passed" : state]) : all);
    const failures = [...results].flatMap(([test, state]) => (state === "failed" ? [{ test, output: "no" }] : []));
    const report = { reporter: "simulated", results: writeResults(results), failures };
    const exitCode = failures.length === 0 ? 0 : 1;
    return { ...ended, exitCode, output: "1 failed", tests: isPart ? { ...report, isPart } : report };
  });
}
