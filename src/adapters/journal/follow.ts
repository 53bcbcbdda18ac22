// A run as it grows, for those who only look: its journal, and the events that its runner keeps beside it.

import { stat } from "node:fs/promises";
import type { Followed } from "../../ports/runs.ts";
import { ifPresent } from "../files/present.ts";
import { looksAt } from "../files/watch.ts";
import { journalFile, readFileJournal } from "./scan.ts";

/** What there is, then what is new at each look, until the signal is aborted. */
export async function* followJournal(
  folder: string,
  signal: AbortSignal,
  newEvents: () => Promise<readonly string[]>,
): AsyncGenerator<Followed> {
  let [known, size] = [0, -1];
  for await (const _ of looksAt(folder, signal)) {
    const now = (await ifPresent(stat(journalFile(folder))))?.size;
    // Most looks are for something else in the folder, and a journal may be long.
    const entries = now === size ? [] : (await readFileJournal(folder)).entries.slice(known);
    [known, size] = [known + entries.length, now ?? size];
    yield { entries, events: await newEvents() };
  }
}
