// What the guard for test-first work did, in a person's words; nothing where it had nobody to hold back.

import type { GuardNote, TestFirst } from "../../../core/test-first/guard.ts";
import { count, oneLine } from "../../../core/text/format.ts";
import type { DispatchLine } from "../fold/ledger.ts";
import type { RunView } from "../fold/shape.ts";

/** `2 writes held back until a test had failed (src/a.ts)` */
export function testFirstText(done: TestFirst | undefined): string | undefined {
  if (!done || (done.heldBack === 0 && !done.gaveWay)) return undefined;
  const files = done.files.slice(0, filesShown).join(", ");
  const more = done.files.length > filesShown ? ` and ${done.files.length - filesShown} more` : "";
  return `${count(done.heldBack, "write")} held back${ending(done)} (${oneLine(files, 160)}${more})`;
}

const filesShown = 3;

function ending({ gaveWay, sawRed }: TestFirst): string {
  if (gaveWay) return ", then let through without a failing test";
  return sawRed ? " until a test had failed" : ", and no test failed";
}

/** For the report: one line per dispatch in which something was held back. */
export function testFirstLines({ spend, tasks }: RunView): readonly string[] {
  return [...spend.dispatches.values()].flatMap((line) => {
    const text = testFirstText(line.testFirst);
    return text === undefined ? [] : [`- ${placeOf(line, tasks)}: ${text}`];
  });
}

function placeOf({ task, role }: DispatchLine, tasks: RunView["tasks"]): string {
  return task === null ? role : `Task ${tasks.get(task)?.number ?? task}`;
}

/** While the agent runs, as it happens. */
export function guardText(role: string, note: GuardNote): string | undefined {
  if (note.did === "held-back") {
    return `${role} is held back from writing ${oneLine(note.file, 100)}: no test has failed yet. It was asked for a failing test first.`;
  }
  if (note.did !== "gave-way") return undefined;
  return `${role} writes ${oneLine(note.file, 100)} without a failing test, after it was held back several times. The report says so.`;
}
