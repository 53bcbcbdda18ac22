// The ignore rules of this clone alone, in git's `info/exclude`. Nothing of the repository's own content is touched.
//
// An anchor remembers them (E3), because they decide which files of the person it does not hold: without them such a file would
// look like one that was made since. Only lost rules come back. The file lies outside the tree and belongs to the person, so
// a rule that was added stays.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { State } from "../../../../core/flow/repository.ts";
import { readText } from "../place/checkout.ts";
import type { WorkingTree } from "../place/locate.ts";
import { ownPatterns, toBytes, toText } from "../process/paths.ts";

/** Makes git ignore superteam's own files in this clone. */
export const excludeOwnFiles = (place: WorkingTree): Promise<void> => addPatterns(place, ownPatterns);

/** The person's rules as they are now. */
export function readExcludes(place: WorkingTree): readonly string[] {
  const lines = read(place)
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.filter((line) => !ownPatterns.includes(line)).map(toText);
}

/** Brings back the rules that there were then and that are gone. */
export async function restoreExcludes(place: WorkingTree, { excludes = [] }: State): Promise<void> {
  await addPatterns(place, excludes.map(toBytes));
}

async function addPatterns(place: WorkingTree, patterns: readonly string[]): Promise<void> {
  const text = read(place);
  const known = new Set(text.split("\n"));
  const missing = patterns.filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  await mkdir(join(place.commonDir, "info"), { recursive: true });
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await writeFile(fileOf(place), `${before}${missing.join("\n")}\n`, "latin1");
}

const fileOf = (place: WorkingTree): string => join(place.commonDir, "info", "exclude");

/** As bytes (see paths.ts): a pattern need not be UTF-8. */
const read = (place: WorkingTree): string => readText(fileOf(place));
