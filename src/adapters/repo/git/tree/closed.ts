// Files that others on this machine cannot read, such as keys. git knows nothing of that: a file that it writes can be read by all (S1).

import { chmodSync } from "node:fs";
import type { State } from "../../../../core/flow/repository.ts";
import { type BytePath, onDisk, toBytes, toText } from "../process/paths.ts";
import { fileAt } from "../restore/see-files.ts";
import { diffTrees } from "./trees.ts";

/** The modes of those that are not committed. */
export async function readClosed(
  root: string,
  { sha, tree }: Pick<State, "sha" | "tree">,
): Promise<NonNullable<State["closed"]>> {
  const found: Record<string, number> = {};
  for (const { path, newMode } of await diffTrees(root, sha, tree)) {
    const mode = newMode.startsWith("100") ? modeAt(root, path) : undefined;
    if (mode !== undefined && isClosed(mode)) found[toText(path)] = mode;
  }
  return found;
}

/** Whether fewer can read it than a file that git makes. */
export const isClosed = (mode: number): boolean => (0o044 & ~process.umask() & ~mode) !== 0;

/** Those that somebody has opened since are closed again, and named. */
export function closeAgain(root: string, { closed = {} }: Pick<State, "closed">): readonly string[] {
  return Object.entries(closed).flatMap(([name, before]) => {
    const path = toBytes(name);
    const mode = modeAt(root, path);
    if (mode === undefined || (mode & 0o077 & ~before) === 0) return [];
    chmodSync(onDisk(root, path), (mode & 0o700) | (before & 0o077));
    return [name];
  });
}

/** Of a file; undefined of anything else. */
export function modeAt(root: string, path: BytePath): number | undefined {
  const file = fileAt(root, path);
  return typeof file === "object" && file.isFile() ? Number(file.mode) & 0o777 : undefined;
}
