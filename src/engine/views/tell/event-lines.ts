// The events of a run as lines, in order. Its runner has kept those it told; what came into the journal after the last of
// them (the runner was killed, or another process ended the run) is made from the journal.

import type { Entry } from "../../../ports/journal.ts";
import { applyEntry } from "../fold/run-view.ts";
import { fieldsOf, RunView } from "../fold/shape.ts";
import { toEvents } from "./events.ts";
import type { EventDraft } from "./output-event.ts";

export class EventLines {
  readonly #view = new RunView();
  #untold: readonly Entry[] = [];
  #last = { seq: 0, entry: 0 };

  /** The next lines out of those that were kept: each event once, and only what can be read. */
  kept(lines: readonly string[]): readonly string[] {
    return lines.filter((line) => {
      const place = placeIn(line);
      if (place === undefined || place.seq <= this.#last.seq) return false;
      this.#last = place;
      return true;
    });
  }

  /** Entries that were read, in order; those that a kept line tells of are done with. */
  journaled(entries: readonly Entry[]): void {
    const told = ({ seq }: Entry): boolean => seq <= this.#last.entry;
    const all = [...this.#untold, ...entries];
    for (const entry of all.filter(told)) applyEntry(this.#view, entry);
    this.#untold = all.filter((entry) => !told(entry));
  }

  /** Lines for the entries that nobody has told. */
  made(): readonly string[] {
    const lines = this.#untold.flatMap((entry) => {
      applyEntry(this.#view, entry);
      return toEvents(entry, this.#view).map((event) => this.next(event));
    });
    this.#untold = [];
    return lines;
  }

  /** The line of what happens now. */
  next({ v, ...event }: EventDraft): string {
    this.#last = { seq: this.#last.seq + 1, entry: event.entry };
    return JSON.stringify({ v, seq: this.#last.seq, ...event });
  }
}

function placeIn(line: string): { readonly seq: number; readonly entry: number } | undefined {
  try {
    const { seq, entry } = fieldsOf(JSON.parse(line));
    return typeof seq === "number" && typeof entry === "number" ? { seq, entry } : undefined;
  } catch {
    // A line that was cut off, or is no JSON for another reason: what it told is made from the journal.
    return undefined;
  }
}
