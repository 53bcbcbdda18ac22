// Appends to a journal without end and says on stdout which appends were acknowledged as synced, one number per line.
//   node write-journal.ts <run folder> <bytes of text per record>
// Ends by being killed, or with the failure of the journal as JSON on stdout.

import { writeSync } from "node:fs";
import { createFileJournal } from "../../../src/adapters/journal/file.ts";
import { bareOutline } from "../../../src/core/run/pipeline.ts";
import { OutsideFailure } from "../../../src/ports/failure.ts";

const [folder = "", size = "0"] = process.argv.slice(2);
const text = "x".repeat(Number(size));
const journal = await createFileJournal({ folder });

try {
  const header = { runId: "r", pipeline: bareOutline("p"), input: null, startedAt: 1 };
  await journal.append({ type: "run", header }, { sync: true });
  for (;;) await Promise.all([step("a"), step("b"), step("c")]);
} catch (cause) {
  if (!(cause instanceof OutsideFailure)) throw cause;
  const { kind, message } = cause;
  writeSync(1, `${JSON.stringify({ kind, message })}\n`);
}

async function step(branch: string): Promise<void> {
  const key = `run/${branch}/${journal.entries.length}`;
  const [, settle] = await Promise.all([
    journal.append({ type: "begin", key, request: { do: "head" }, tries: 1, place: "tree" }, { sync: false }),
    journal.append({ type: "settle", key, outcome: { text: text + key } }, { sync: true }),
  ]);
  writeSync(1, `${settle.seq}\n`);
}
