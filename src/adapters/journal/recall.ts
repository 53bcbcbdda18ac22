// What a journal knows: its entries, and an index over them by key (E2, E5). Each entry is added once, in order, at a cost
// that does not grow with the journal.

import { atEpoch, epochOf, withoutEpoch } from "../../core/flow/keys.ts";
import type { Entry, Journal, Note, Recalled, ScopeResult } from "../../ports/journal.ts";

export type JournalContents = Omit<Journal, "append" | "close">;

/** The notes are the one part that grows in place: copying them for each note would cost the square of their number. */
type Known = Recalled & { readonly notes: Note[] };

export function journalContents(start: readonly Entry[]): {
  readonly contents: JournalContents;
  readonly add: (entry: Entry) => void;
} {
  const entries: Entry[] = [];
  const requests = new Map<string, Known>();
  const results = new Map<string, ScopeResult>();
  const instead = new Map<string, string>();

  const add = (entry: Entry): void => {
    entries.push(entry);
    if (entry.type === "leave") results.set(entry.scope, entry.result);
    if (entry.type === "restart") replace(entry);
    if (entry.type === "begin") requests.set(entry.key, begun(entry, requests.get(entry.key)));
    if (entry.type === "note") requests.get(entry.key)?.notes.push(entry.note);
    if (entry.type === "settle") settle(requests, entry);
  };
  /** Only what the person had run again takes the place of what was there. */
  const replace = ({ scope, epoch, by }: Entry & { readonly type: "restart" }): void => {
    if (by === "person" && epoch > epochOf(scope)) instead.set(scope, atEpoch(withoutEpoch(scope), epoch));
  };
  for (const entry of start) add(entry);
  const current = (scope: string): string => {
    const next = instead.get(scope);
    return next === undefined ? scope : current(next);
  };
  const contents: JournalContents = {
    entries,
    recall: (key) => requests.get(key),
    result: (scope) => results.get(scope),
    current,
  };
  return { contents, add };
}

/** A request that is begun again has no outcome any more, but what earlier tries have cost stays known. */
function begun(entry: Entry & { readonly type: "begin" }, before: Known | undefined): Known {
  const { type, key, at, ...begin } = entry;
  return { ...begin, at: before?.at ?? at, notes: before?.notes ?? [], settled: false, outcome: undefined };
}

/** An outcome of a request that was never begun answers nothing: it stays in the entries alone. */
function settle(requests: Map<string, Known>, entry: Entry & { readonly type: "settle" }): void {
  const known = requests.get(entry.key);
  if (known) requests.set(entry.key, { ...known, settled: true, outcome: entry.outcome });
}
