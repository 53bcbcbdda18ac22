// What the person has not committed, and keeping superteam's own files out of it.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkingTree } from "../place/locate.ts";
import { hiddenPaths, ownPatterns, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";

export interface Uncommitted {
  /** Tracked files with changes, staged or not. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
}

/** The person's uncommitted changes; superteam's own files and the run's documents are not theirs. */
export async function dirty(root: string, documents: readonly string[]): Promise<Uncommitted> {
  const isHidden = hiddenPaths(documents);
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const lines = (await git(root, args)).split("\0").filter((line) => line !== "" && !isHidden(line.slice(3)));
  const pathsOf = (some: readonly string[]): readonly string[] => some.map((line) => toText(line.slice(3)));
  return {
    tracked: pathsOf(lines.filter((line) => !line.startsWith("??"))),
    untracked: pathsOf(lines.filter((line) => line.startsWith("??"))),
  };
}

/** Makes git ignore superteam's own files in this clone, without a change to any file of the repository. */
export async function excludeOwnFiles(place: WorkingTree): Promise<void> {
  const file = join(place.commonDir, "info", "exclude");
  const text = await readFile(file, "utf8").catch(() => "");
  const known = new Set(text.split("\n"));
  const missing = ownPatterns.filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  await mkdir(join(place.commonDir, "info"), { recursive: true });
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await writeFile(file, `${before}${missing.join("\n")}\n`);
}
