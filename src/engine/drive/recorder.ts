// The one way into the journal: an entry is written, and shown to watchers while the disk syncs it. Which entries are on disk for good
// before the run continues is decided here, and nowhere else (E1).

import type { Answerer } from "../../core/flow/question.ts";
import type { AgentEvent } from "../../ports/agents.ts";
import type { Entry, EntryBody, Journal, Note } from "../../ports/journal.ts";

/** What can be watched during a run: each entry when it is journaled, and what agents do in between. */
export type LiveEvent =
  | { readonly type: "entry"; readonly entry: Entry }
  | { readonly type: "agent"; readonly key: string; readonly role: string; readonly event: AgentEvent }
  /** Nothing new starts; so many agents may finish. */
  | { readonly type: "draining"; readonly agents: number }
  | { readonly type: "told"; readonly text: string };

export interface Recording {
  readonly journal: Journal;
  readonly watch: (event: LiveEvent) => void;
}

export async function append({ journal, watch }: Recording, body: EntryBody): Promise<Entry> {
  return await journal.append(body, { sync: mustSync(body), written: (entry) => watch({ type: "entry", entry }) });
}

export async function note(to: Recording, key: string, body: Note): Promise<void> {
  await append(to, { type: "note", key, note: body });
}

/** Gives the outcome as JSON gives it back: a flow sees the same the first time and on replay. */
export async function settle(to: Recording, key: string, outcome: unknown, by: Answerer = "person"): Promise<unknown> {
  const entry = await append(to, { type: "settle", key, outcome, ...(by === "person" ? {} : { by }) });
  return entry.type === "settle" ? entry.outcome : outcome;
}

/**
 * An outcome is on disk before the flow gets it, a question before it is shown, the beginning of a commit or a check before it acts. An agent's
 * beginning is synced together with its process, before it is given its prompt: otherwise, after a power cut, what it left would
 * look like the person's, and what it cost would be forgotten (M1). The rest is only ever lost together with what it was about.
 */
function mustSync(body: EntryBody): boolean {
  if (body.type === "note") return body.note.type === "spawned";
  if (body.type !== "begin") return !["session", "limits", "enter"].includes(body.type);
  return ["ask", "commit", "check"].includes(body.request.do);
}
