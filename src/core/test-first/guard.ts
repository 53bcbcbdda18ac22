// The guard's decisions: a source file is not written before a test has failed, and no agent is held up endlessly. It is guidance for an agent
// that means well, not a proof: writes through the shell are not checked.

import { bringsTests, isSourceFile } from "./source-file.ts";
import { type CommandEnd, judgeRun } from "./test-run.ts";

/** What the guard did about one call of a tool. */
export type GuardNote =
  | { readonly did: "held-back" | "gave-way"; readonly file: string }
  | { readonly did: "saw-red" | "saw-green" };

/** What the guard of one dispatch did in all. */
export interface TestFirst {
  /** How many calls it held back, and for which files. */
  readonly heldBack: number;
  readonly files: readonly string[];
  readonly sawRed: boolean;
  readonly sawGreen: boolean;
  /** Source was written before any test had failed, after the guard had said so often enough. */
  readonly gaveWay: boolean;
}

/** How many messages the guard blocks before it lets the agent through. Parallel calls of one message count once. */
export const patience = 3;

/** What the guard remembers of its dispatch. */
export interface GuardMemory {
  readonly sawRed: boolean;
  /** The turns in which something was held back. */
  readonly turns: readonly number[];
}

export const freshMemory: GuardMemory = { sawRed: false, turns: [] };

/** A call that would write a file. */
export interface Writing {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string;
  /** What is to be written, as far as it is in the call. */
  readonly text: string;
  readonly turn: number;
}

export interface Judged {
  readonly memory: GuardMemory;
  readonly note?: GuardNote;
  /** Why the call is held back; undefined lets it through. */
  readonly reason?: string;
}

export function judgeWriting(memory: GuardMemory, { file, text, turn }: Writing): Judged {
  if (memory.sawRed || !isSourceFile(file) || bringsTests(file, text)) return { memory };
  const isTold = memory.turns.includes(turn);
  if (!isTold && memory.turns.length >= patience) return { memory, note: { did: "gave-way", file } };
  const turns = isTold ? memory.turns : [...memory.turns, turn];
  return {
    memory: { ...memory, turns },
    note: { did: "held-back", file },
    reason: reasonFor(file, turns.length === patience),
  };
}

export function hearRun(memory: GuardMemory, end: CommandEnd): Judged {
  const seen = judgeRun(end);
  if (seen === undefined) return { memory };
  if (seen === "green") return { memory, note: { did: "saw-green" } };
  return { memory: { ...memory, sawRed: true }, note: { did: "saw-red" } };
}

export function addNote(sofar: TestFirst | undefined, note: GuardNote): TestFirst {
  const known = sofar ?? { heldBack: 0, files: [], sawRed: false, sawGreen: false, gaveWay: false };
  if (!("file" in note)) return { ...known, ...(note.did === "saw-red" ? { sawRed: true } : { sawGreen: true }) };
  const files = [...new Set([...known.files, note.file])];
  return note.did === "gave-way"
    ? { ...known, files, gaveWay: true }
    : { ...known, files, heldBack: known.heldBack + 1 };
}

function reasonFor(file: string, isLast: boolean): string {
  const next = isLast
    ? `You will not be stopped again. If nothing here can be tested first, write ${file} once more and say why in your report. superteam records that no test had failed before.`
    : `Then write ${file} again.`;
  return `${file} was not written: this task is built test first, and no test has failed yet in this session.
1. Write a test for what is missing, or extend one. Tests, documents and settings are never held back. If the test is there already, leave it as it is.
2. Run it and see it fail. A test that fails because what it imports does not exist yet counts; a command that cannot be run does not.
3. ${next}`;
}
