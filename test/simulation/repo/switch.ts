// Going to another commit with the files as they are. A path that both sides have changed is a conflict: it is named, nothing is
// merged, and nothing is touched. Or as that commit has them, whatever is lost by it.

import { isSame } from "./content.ts";
import { type Disk, type Draft, dropFile, isFree, replaceFile } from "./disk.ts";
import { isIgnored } from "./ignore.ts";
import { foldersAbove, isAtOrIn } from "./paths.ts";
import { type Clone, changeFiles, commitNamed, headOf, moveHead, type Repository, setIndex } from "./repository.ts";
import { type Difference, differencesOf, withDifferences } from "./trees.ts";

/** Makes files, index and HEAD those of the branch. Gives the paths that are in conflict; then nothing was done. */
export function switchTo(clone: Clone, branch: string): readonly string[] {
  const conflicts = takeOn(clone, clone.repository.branches.get(branch) ?? "");
  if (conflicts.length === 0) clone.repository = { ...clone.repository, head: { branch } };
  return conflicts;
}

/** The same with a commit, on no branch. */
export function detachAt(clone: Clone, sha: string): readonly string[] {
  const conflicts = takeOn(clone, sha);
  if (conflicts.length === 0) clone.repository = { ...clone.repository, head: { detachedAt: sha } };
  return conflicts;
}

/** The same, and HEAD's branch moves there. */
export function forwardTo(clone: Clone, sha: string): readonly string[] {
  const conflicts = takeOn(clone, sha);
  if (conflicts.length === 0) moveHead(clone, sha);
  return conflicts;
}

/** Makes HEAD's branch, files and index those of the commit. What git tracks neither here nor there stays. */
export function resetTo(clone: Clone, sha: string): void {
  const { tree } = commitNamed(clone.repository, sha);
  const { index } = clone.repository;
  changeFiles(clone, (draft) => {
    for (const path of index.entries.keys()) if (!tree.entries.has(path)) dropFile(draft, path);
    for (const [path, content] of tree.entries) {
      // git makes a file anew that it did not track as it will be, whatever it holds.
      const isTracked = isSame(index.entries.get(path), content);
      if (isTracked && isSame(draft.files.get(path)?.content, content)) continue;
      if (!isFree(draft, path)) removeInTheWay(draft, path);
      replaceFile(draft, path, content);
    }
  });
  setIndex(clone, tree);
  moveHead(clone, sha);
}

/** Makes files and index those of the commit. HEAD stays. */
function takeOn(clone: Clone, sha: string): readonly string[] {
  const { repository } = clone;
  const here = commitNamed(repository, headOf(repository).sha).tree;
  const there = commitNamed(repository, sha).tree;
  const all = differencesOf(here, there);
  const differences = all.filter((each) => !isThereAlready(repository, each));
  const refused = [
    ...differences.filter((each) => !isUntouched(repository, each, here.entries.has(each.path))),
    ...all.filter((each) => wouldRemove(repository, each)),
  ];
  const inTheWay = differences.flatMap((each) => blockedBy(repository, each, differences));
  if (refused.length + inTheWay.length > 0)
    return [...new Set([...refused.map(({ path }) => path), ...inTheWay])].sort();

  changeFiles(clone, (draft) => checkOut(draft, differences));
  setIndex(clone, withDifferences(repository.index, differences));
  return [];
}

/** What the index has already as it will be stays as it is, whatever the file holds. */
function isThereAlready({ index }: Repository, { path, content }: Difference): boolean {
  return isSame(index.entries.get(path), content);
}

/** A file that HEAD has and git no longer tracks, or one in the place of a folder above; an ignored one stays. */
function wouldRemove({ disk, index }: Repository, { path, content }: Difference): boolean {
  if (content !== undefined || index.entries.has(path)) return false;
  const isLost = (file: string): boolean => disk.files.has(file) && !index.entries.has(file) && !isIgnored(disk, file);
  return [path, ...foldersAbove(path)].some(isLost);
}

/** The index has the file as HEAD has it, and the disk has it so too, or not at all. */
function isUntouched(repository: Repository, { path, change }: Difference, isInHead: boolean): boolean {
  const { disk, index } = repository;
  const staged = index.entries.get(path);
  if (change === "added" || !isInHead) return staged === undefined;
  const committed = commitNamed(repository, headOf(repository).sha).tree.entries.get(path);
  const onDisk = disk.files.get(path)?.content;
  const isAsStaged = onDisk === undefined ? isGone(disk, path) : isSame(onDisk, staged);
  return staged !== undefined && isSame(staged, committed) && isAsStaged;
}

/** Nothing else has taken its place. */
function isGone({ files, folders }: Disk, path: string): boolean {
  return !folders.has(path) && !foldersAbove(path).some((folder) => files.has(folder));
}

/** Untracked files where a file of the branch has to go; ignored ones may be overwritten. */
function blockedBy(
  { disk, index }: Repository,
  { path, content }: Difference,
  differences: readonly Difference[],
): readonly string[] {
  if (content === undefined) return [];
  const leaving = new Set(differences.filter((each) => each.change === "deleted").map((each) => each.path));
  const isKept = (name: string): boolean => !leaving.has(name) && (index.entries.has(name) || !isIgnored(disk, name));
  const above = foldersAbove(path).filter((folder) => disk.files.has(folder) && isKept(folder));
  const isTracked = index.entries.has(path);
  const inside = [...filesIn(disk, path)].filter((name) => (name !== path || !isTracked) && isKept(name));
  return above.length + inside.length === 0 ? [] : [path];
}

function* filesIn({ files }: Disk, place: string): Iterable<string> {
  for (const name of files.keys()) if (isAtOrIn(name, place)) yield name;
}

function checkOut(draft: Draft, differences: readonly Difference[]): void {
  for (const { path, content } of differences) if (content === undefined) dropFile(draft, path);
  for (const { path, content } of differences) {
    if (content === undefined) continue;
    if (!isFree(draft, path)) removeInTheWay(draft, path);
    replaceFile(draft, path, content);
  }
}

function removeInTheWay(draft: Draft, path: string): void {
  for (const folder of foldersAbove(path)) draft.files.delete(folder);
  for (const name of [...filesIn(draft, path)]) draft.files.delete(name);
}
