// A journal that is gone with its process: for tests, dry runs and work that need not be resumed.

import type { Clock } from "../../ports/clock.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import { journalContents } from "./recall.ts";

export interface MemoryJournalOptions {
  readonly clock?: Pick<Clock, "now">;
  /** Entries of an earlier journal, to continue from. */
  readonly entries?: readonly Entry[];
}

export function memoryJournal({ clock = Date, entries = [] }: MemoryJournalOptions = {}): Journal {
  const { contents, add } = journalContents(entries);
  return {
    ...contents,
    async append(body, { written }) {
      const entry: Entry = JSON.parse(JSON.stringify({ seq: contents.entries.length + 1, at: clock.now(), ...body }));
      add(entry);
      written?.(entry);
      return entry;
    },
    close: () => Promise.resolve(),
  };
}
