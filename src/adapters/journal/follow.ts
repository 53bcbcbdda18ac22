// A journal as it grows, for those who only look.

import type { Entry } from "../../ports/journal.ts";
import { looksAt } from "../files/watch.ts";
import { readFileJournal } from "./scan.ts";

/** The entries there are, then new ones as they come, until the signal is aborted. */
export async function* followJournal(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  let known = 0;
  for await (const _ of looksAt(folder, signal)) {
    const { entries } = await readFileJournal(folder);
    if (entries.length > known) yield entries.slice(known);
    known = entries.length;
  }
}
