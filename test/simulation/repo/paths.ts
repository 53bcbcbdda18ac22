// Paths relative to the tree's root, with `/` between their parts.

import { listed } from "../../../src/core/text/format.ts";

/** `a/b/c` gives `a/b`, `a`: the folders above, nearest first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) folders.push(path.slice(0, end));
  return folders;
}

export const isAtOrIn = (path: string, place: string): boolean =>
  path.startsWith(place) && (path.length === place.length || path[place.length] === "/");

/** What nobody but a documents commit may see (S1): superteam's own files and the run's documents. */
export function hiddenPaths(documents: readonly string[]): (path: string) => boolean {
  const places = [ownFolder, ...documents.map((path) => path.replace(/\/$/, ""))];
  const isInPlaces = (path: string): boolean => places.some((place) => isAtOrIn(path, place));
  return (path) => (path.startsWith(ownFile) && !path.includes("/")) || isTemporary(path) || isInPlaces(path);
}

const isTemporary = (path: string): boolean => /(?:^|\/)\.superteam-[^/]*\.tmp$/.test(path);

const ownFile = ".superteam-workflow.json";
const ownFolder = ".superteam";

/** For a sentence: the first few, and how many more. */
export const someOf = (paths: readonly string[]): string => listed(paths);
