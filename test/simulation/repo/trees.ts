// What differs between two trees, and a tree with some differences applied to it.

import { type Content, isSame, type Tree, treeOf } from "./content.ts";
import { foldersAbove, isAtOrIn } from "./paths.ts";

/** One path that differs between two trees. */
export interface Difference {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  /** undefined when it was deleted. */
  readonly content: Content | undefined;
}

/** Sorted by path. A renamed file is one deleted and one added. */
export function differencesOf(from: Tree, to: Tree): readonly Difference[] {
  if (from.hash === to.hash) return [];
  const found: Difference[] = [];
  for (const [path, content] of to.entries) {
    const old = from.entries.get(path);
    if (!isSame(old, content)) found.push({ path, change: old === undefined ? "added" : "modified", content });
  }
  for (const path of from.entries.keys()) {
    if (!to.entries.has(path)) found.push({ path, change: "deleted", content: undefined });
  }
  return found.sort(byPath);
}

const byPath = (one: Difference, other: Difference): number => (one.path < other.path ? -1 : 1);

/** A file that is put where a folder was takes the place of all in it, and the other way round. */
export function withEntries(tree: Tree, changes: Iterable<readonly [string, Content | undefined]>): Tree {
  const entries = new Map(tree.entries);
  const wanted = [...changes];
  for (const [path, content] of wanted) if (content === undefined) entries.delete(path);
  for (const [path, content] of wanted) {
    if (content === undefined) continue;
    if (!entries.has(path)) makeRoom(entries, path);
    entries.set(path, content);
  }
  return treeOf(entries);
}

export const withDifferences = (tree: Tree, differences: readonly Difference[]): Tree =>
  withEntries(
    tree,
    differences.map(({ path, content }) => [path, content]),
  );

export const withoutPaths = (tree: Tree, paths: readonly string[]): Tree =>
  withEntries(
    tree,
    paths.map((path) => [path, undefined]),
  );

function makeRoom(entries: Map<string, Content>, path: string): void {
  for (const folder of foldersAbove(path)) entries.delete(folder);
  for (const name of entries.keys()) if (isAtOrIn(name, path)) entries.delete(name);
}
