// A journal that is gone with its process: for tests, dry runs and work that need not be resumed.

import type { Clock } from "../../ports/clock.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import { newRecall } from "./recall.ts";

export interface MemoryJournalOptions {
  readonly clock?: Pick<Clock, "now">;
  /** What an earlier journal held, to go on from there. */
  readonly entries?: readonly Entry[];
}

export function memoryJournal({
  clock = { now: Date.now },
  entries: earlier = [],
}: MemoryJournalOptions = {}): Journal {
  const entries: Entry[] = [];
  const recall = newRecall();
  for (const entry of earlier) keep(entry);

  return {
    entries,
    recall: recall.recall,
    result: recall.result,
    epoch: recall.epoch,
    async append(body) {
      return keep(JSON.parse(JSON.stringify({ seq: entries.length + 1, at: clock.now(), ...body })));
    },
    close: () => Promise.resolve(),
  };

  function keep(entry: Entry): Entry {
    entries.push(entry);
    recall.apply(entry);
    return entry;
  }
}
