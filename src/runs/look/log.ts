// What happened in a run, as lines.

import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { RunView } from "../../engine/views/fold/shape.ts";
import { logLine } from "../../engine/views/tell/entries.ts";
import { toEvents } from "../../engine/views/tell/events.ts";
import type { Entry } from "../../ports/journal.ts";

/** Reads lines for the entries that follow those read before; with `json` one object per line, for programs. */
export function logReader(json: boolean) {
  const view = new RunView();
  const linesOf = (entry: Entry): string | readonly string[] => {
    applyEntry(view, entry);
    if (json) return toEvents(entry, view).map((event) => JSON.stringify(event));
    return logLine(entry, view) ?? [];
  };
  return { read: (entries: readonly Entry[]) => entries.flatMap(linesOf), hasEnded: () => view.ending !== null };
}
