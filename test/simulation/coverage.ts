// States that a simulated run has to come to now and then: what was never reached was never shown to be survived.

import type { Entry } from "../../src/ports/journal.ts";

const states = {
  "plan patched": /^begin .*plan-review.*\/dispatch:patch/,
  "plan revised": /^begin .*\/dispatch:revise/,
  "task fixed": /^begin .*task-\d+.*\/dispatch:fix/,
  "task escalated": /^begin .*\/ask:execute\.task\.\d+\.escalation/,
  "task changed nothing": /^begin .*\/ask:execute\.task\.\d+\.nothing/,
  "task's commit refused": /^begin .*\/ask:execute\.task\.\d+\.commit/,
  "work rolled back": /^begin .*task-\d+.*\/undo-work:/,
  "person's files left out": /^begin .*task-\d+.*\/difference:meanwhile/,
  "files changed by both": /^begin .*\/ask:.*\.mixed/,
  "final review": /^begin finalize.*\/dispatch:final-review/,
  "final fix": /^begin finalize.*\/dispatch:final-fix/,
  "documentation written": /^begin finalize.*\/dispatch:docs/,
  "budget asked about": /^begin .*ask:budget/,
  "interrupted work undone": /^note .* undone$/,
  "asked whether to undo": /^begin .*~ask:run\.restore/,
  "program and journal disagree": /^begin .*ask:run\.diverged/,
  "scope run again": /^restart /,
  "tests known before the work": /^begin .*\/record:tests\.baseline/,
  "tests run again": /^begin .*\/check:tests-again/,
  "tests run together": /^begin .*\/check:tests-together/,
  "task blamed": /^begin .*\/open-place:blame-/,
  "commit checked alone": /^begin .*\/open-place:(?:task-\d+|final-fixes)-alone-/,
  "no place for the tests": /^begin .*ask:execute\.place/,
  "runs put in line": /^begin .*queue/,
} as const;

export type State = keyof typeof states;
export const allStates = Object.keys(states) as readonly State[];

export function statesIn(entries: readonly Entry[]): ReadonlySet<State> {
  const lines = entries.flatMap(lineOf);
  return new Set(allStates.filter((state) => lines.some((line) => states[state].test(line))));
}

function lineOf(entry: Entry): readonly string[] {
  if (entry.type === "begin") return [`begin ${entry.key}`];
  if (entry.type === "note") return entry.note.type === "undone" ? [`note ${entry.key} undone`] : [];
  return entry.type === "restart" ? [`restart ${entry.scope}`] : [];
}
