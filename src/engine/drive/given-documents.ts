// The run's documents are in no tree, so an anchor does not have them (S1). What stands in those that a writer writes is in its
// begin record, and put back from there when it is interrupted or fails (E3). What it had made of them stays in a note.

import type { DocumentTexts, Entry } from "../../ports/journal.ts";
import type { Place } from "../../ports/place.ts";
import { note, type Recording } from "./recorder.ts";

export async function readTexts(
  { documents }: Pick<Place, "documents">,
  paths: readonly string[],
): Promise<DocumentTexts> {
  const texts = paths.map(async (path) => [path, await documents.read(path)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

export async function putTextsBack(
  world: Recording,
  { documents }: Pick<Place, "documents">,
  { key, documents: given = {} }: Pick<Entry & { readonly type: "begin" }, "key" | "documents">,
): Promise<void> {
  const now = await readTexts({ documents }, Object.keys(given));
  const replaced = Object.entries(now).filter(([path, text]) => text !== given[path]);
  if (replaced.length === 0) return;
  // Noted first: what stands there may be the person's, and is nowhere else.
  await note(world, key, { type: "replaced", documents: Object.fromEntries(replaced) });
  for (const [path] of replaced) {
    const text = given[path] ?? null;
    await (text === null ? documents.remove(path) : documents.write(path, text));
  }
}
