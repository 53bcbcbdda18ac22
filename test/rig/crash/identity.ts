// A name for each entry of a run that stays the same however often the run was interrupted before: what it is about, and
// which one of its kind within one try.

import type { Entry } from "../../../src/ports/journal.ts";

export function namer(): (entry: Entry) => string {
  const counts = new Map<string, number>();
  return (entry) => {
    if (entry.type === "begin") forget(counts, entry.key);
    const kind = nameOf(entry);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind} ${count}`;
  };
}

/** A request that is begun again counts its notes anew. */
function forget(counts: Map<string, number>, key: string): void {
  for (const kind of counts.keys()) if (kind.endsWith(` ${key}`)) counts.delete(kind);
}

function nameOf(entry: Entry): string {
  switch (entry.type) {
    case "begin":
    case "settle":
      return `${entry.type} ${entry.key}`;
    case "note":
      return `${entry.note.type} ${entry.key}`;
    case "enter":
    case "leave":
    case "restart":
      return `${entry.type} ${entry.scope}`;
    default:
      return entry.type;
  }
}
