// The run's documents are in no tree, so an anchor does not contain them (S1). The begin record of each agent that could change them has their
// text. They are restored from it (E3b): all of them if the agent is interrupted or fails; if it is done, those that it was not asked to write.
// The agent's own version stays in a note.

import type { Documents } from "../../ports/documents.ts";
import { isFromOutside, OutsideFailure } from "../../ports/failure.ts";
import type { DocumentTexts, Entry } from "../../ports/journal.ts";
import type { Place } from "../../ports/place.ts";
import { note, type Recording } from "./recorder.ts";

/** What is in no record: nothing. Of guarded documents, those that are there. */
export async function givenTexts(
  place: Pick<Place, "documents">,
  own: readonly string[],
  guarded: readonly string[],
): Promise<{ readonly documents?: DocumentTexts }> {
  const texts = await readTexts(place, [...new Set([...own, ...guarded])]);
  const given = Object.entries(texts).filter(([path, text]) => text !== null || own.includes(path));
  return given.length === 0 ? {} : { documents: Object.fromEntries(given) };
}

async function readTexts({ documents }: Pick<Place, "documents">, paths: readonly string[]): Promise<DocumentTexts> {
  const texts = paths.map(async (path) => [path, await readIfReadable(documents, path)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** What happened to the agent: one that is done keeps what it was sent to write, one that is not may be started again. */
type AgentEnd = { readonly wrote: readonly string[] } | "undone";

export async function putTextsBack(
  world: Recording,
  { documents }: Pick<Place, "documents">,
  { key, documents: given = {} }: Pick<Entry & { readonly type: "begin" }, "key" | "documents">,
  end: AgentEnd,
): Promise<void> {
  const others = Object.keys(given).filter((path) => end === "undone" || !end.wrote.includes(path));
  const now = await readTexts({ documents }, others);
  const replaced = Object.entries(now).filter(([path, text]) => text !== given[path]);
  if (replaced.length === 0) return;
  // Noted first: what stands there may be the person's, and is nowhere else.
  await note(world, key, { type: "replaced", documents: Object.fromEntries(replaced) });
  for (const [path] of replaced) {
    const text = given[path] ?? null;
    try {
      await (text === null ? documents.remove(path) : documents.write(path, text));
    } catch (error) {
      // The next try would begin with what this one left: better to stop, if that can be helped.
      if (!(error instanceof OutsideFailure) || (end === "undone" && isFromOutside(error))) throw error;
      // The text is in the journal, and a document is not worth the work of an agent that is done.
      world.watch({ type: "told", text: `${path} could not be restored: ${error.message}` });
    }
  }
}

/** What cannot be read is not there. */
export async function readIfReadable(documents: Documents, path: string): Promise<string | null> {
  try {
    return await documents.read(path);
  } catch (error) {
    if (error instanceof OutsideFailure && ["outside", "unreadable"].includes(error.kind)) return null;
    throw error;
  }
}
