// The ignore rules of this clone alone, in git's `info/exclude`. Nothing of the repository's own content is touched.
//
// An anchor remembers them (E3), because they decide which files of the person it does not hold: without them such a file would
// look like one that was made since. Only lost rules come back. The file lies outside the tree and belongs to the person, so
// a rule that was added stays.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Anchor } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import type { WorkingTree } from "../place/locate.ts";
import { ownPatterns } from "../process/paths.ts";
import { tryGit } from "../process/run.ts";

/** Makes git ignore superteam's own files in this clone. */
export const excludeOwnFiles = (place: WorkingTree): Promise<void> => addPatterns(place, ownPatterns);

/** The rules as they are now, as lines for the message of an anchor's commit. */
export async function noteOfExcludes(place: WorkingTree): Promise<string> {
  const patterns = (await read(place)).split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return patterns.map((pattern) => `${key}${pattern}\n`).join("");
}

/** The same lines, as the anchor has them. */
export async function notedExcludes({ root }: Checkout, { ref }: Anchor): Promise<string> {
  const message = (await tryGit(root, ["log", "-1", "--format=%B", ref, "--"])).out;
  const lines = message.split("\n").filter((line) => line.startsWith(key));
  return lines.map((line) => `${line}\n`).join("");
}

/** Brings back the rules that the anchor had and that are gone. */
export async function restoreExcludes(checkout: Checkout, to: Anchor): Promise<void> {
  const lines = (await notedExcludes(checkout, to)).split("\n").filter(Boolean);
  await addPatterns(
    checkout,
    lines.map((line) => line.slice(key.length)),
  );
}

const key = "Superteam-Exclude: ";

async function addPatterns(place: WorkingTree, patterns: readonly string[]): Promise<void> {
  const text = await read(place);
  const known = new Set(text.split("\n"));
  const missing = patterns.filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  await mkdir(join(place.commonDir, "info"), { recursive: true });
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await writeFile(fileOf(place), `${before}${missing.join("\n")}\n`, "latin1");
}

const fileOf = (place: WorkingTree): string => join(place.commonDir, "info", "exclude");

/** As bytes (see paths.ts): a pattern need not be UTF-8. */
const read = (place: WorkingTree): Promise<string> => readFile(fileOf(place), "latin1").catch(() => "");
