// What happened in a run, as lines.

import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { RunView } from "../../engine/views/fold/shape.ts";
import { logLine } from "../../engine/views/tell/entries.ts";
import { toEvents } from "../../engine/views/tell/events.ts";
import type { Entry } from "../../ports/journal.ts";

export interface LogReader {
  /** Lines for the entries that follow those read before. */
  read(entries: readonly Entry[]): readonly string[];
  hasEnded(): boolean;
}

/** With `json` one object per line, for programs. */
export function logReader(json: boolean): LogReader {
  const view = new RunView();
  const linesOf = (entry: Entry): readonly string[] => {
    applyEntry(view, entry);
    if (json) return toEvents(entry, view).map((event) => JSON.stringify(event));
    const line = logLine(entry, view);
    return line === undefined ? [] : [line];
  };
  return { read: (entries) => entries.flatMap(linesOf), hasEnded: () => view.ending !== null };
}
