// What has changed since an anchor (E3), whether committed, staged, unstaged or untracked, and which of it is the person's (S1).

import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { State } from "../../../../core/flow/repository.ts";
import { codeOf } from "../../../files/present.ts";
import { capture } from "../capture/capture.ts";
import type { Unread } from "../capture/last-capture.ts";
import { type Checkout, readText } from "../place/checkout.ts";
import { type BytePath, foldersAbove, onDisk, toBytes, within } from "../process/paths.ts";
import { type Difference, diffTrees, repositoryMode } from "./trees.ts";

export interface Comparison {
  /** The working tree, as `tree()` gives it. */
  readonly tree: string;
  /** The same, with the files that only seem to be gone. What `differences` leads to. */
  readonly seen: string;
  /** The index as a tree, if it has no conflicts. */
  readonly index: string | undefined;
  readonly differences: readonly Difference[];
  /** At the anchor or now. */
  readonly leftAlone: readonly BytePath[];
  /** Of these, what is there now. */
  readonly unseen: readonly BytePath[];
  /** As `capture` gives them. */
  readonly refused: readonly BytePath[];
  readonly flagged: readonly string[];
  readonly unread: Unread;
  readonly indexHash: string;
}

/**
 * A file that was there at the anchor and is ignored now is in no tree, though nobody deleted it. `ignored` says which of
 * these files count as present: all, or just those that were untracked. A tracked one that left the index and is ignored was
 * taken out of the repository on purpose.
 */
export async function compare(checkout: Checkout, since: State, ignored: "untracked" | "all"): Promise<Comparison> {
  const first = await compareCaptured(checkout, since, []);
  const hiding = await stillThere(checkout.root, first.differences);
  const present = ignored === "all" ? hiding : await untrackedAt(checkout.root, since, hiding);
  if (present.length === 0) return first;
  return { ...(await compareCaptured(checkout, since, present)), tree: first.tree };
}

/** As the ignore rules show the tree now, and these paths as well. */
export async function compareCaptured(
  checkout: Checkout,
  since: State,
  also: readonly BytePath[],
): Promise<Comparison> {
  const captured = await capture(checkout, also);
  const { tree, index, leftAlone: found } = captured;
  const all = await diffTrees(checkout.root, since.tree, tree);
  const unreadable = await outOfReach(checkout.root, all);
  const unseen = [...new Set([...found, ...unreadable, ...stagedRepositories(checkout.root, all)])].sort();
  const before = since.leftAlone.map(toBytes);
  const leftAlone = [...new Set([...before, ...unseen])].sort();
  const [wasLeftAlone, isUnseen, unseenItself] = [within(before), within(unseen), new Set(unseen)];
  // A file that was there is compared as ever, although there is a repository around it by now.
  const isLeftAlone = ({ path, change }: Difference): boolean =>
    wasLeftAlone(path) || unseenItself.has(path) || (change === "added" && isUnseen(path));
  const differences = all.filter((each) => !isLeftAlone(each) && !checkout.isHidden(each.path));
  const { refused, flagged, unread, indexHash } = captured;
  return { tree, seen: tree, index, differences, leftAlone, unseen, refused, flagged, unread, indexHash };
}

/** `git add` stores of a nested repository only which commit it is at. Without a line in `.gitmodules` nobody can get that commit. */
function stagedRepositories(root: string, differences: readonly Difference[]): readonly BytePath[] {
  const added = differences.filter(({ oldMode, newMode }) => newMode === repositoryMode && oldMode !== repositoryMode);
  if (added.length === 0) return [];
  const modules = readText(join(root, ".gitmodules"));
  const known = new Set([...modules.matchAll(/^\s*path\s*=\s*"?([^"\n]*?)"?\s*$/gm)].map(([, path = ""]) => path));
  return added.map(({ path }) => path).filter((path) => !known.has(path));
}

/** Paths that only seem to be gone: nobody may look into their folder. */
async function outOfReach(root: string, differences: readonly Difference[]): Promise<readonly BytePath[]> {
  return await lostAmong(root, differences, (seen) => seen === "EACCES");
}

/** Paths that a tree has lost and the disk has not. */
export async function stillThere(root: string, differences: readonly Difference[]): Promise<readonly BytePath[]> {
  return await lostAmong(
    root,
    differences,
    (seen) => typeof seen === "object" && (seen.isFile() || seen.isSymbolicLink()),
  );
}

/** By what is at each path that a tree has lost. What lies behind a link is not in the tree. */
async function lostAmong(
  root: string,
  differences: readonly Difference[],
  isSuch: (seen: Stats | string) => boolean,
): Promise<readonly BytePath[]> {
  const found: BytePath[] = [];
  for (const { path, change } of differences) {
    if (change !== "deleted") continue;
    const seen = await lstat(onDisk(root, path)).catch(codeOf);
    if (isSuch(seen) && !(await isBehindLink(root, path))) found.push(path);
  }
  return found;
}

async function isBehindLink(root: string, path: BytePath): Promise<boolean> {
  for (const folder of foldersAbove(path)) {
    const seen = await lstat(onDisk(root, folder)).catch(() => undefined);
    if (seen?.isSymbolicLink()) return true;
  }
  return false;
}

async function untrackedAt(root: string, since: State, paths: readonly BytePath[]): Promise<readonly BytePath[]> {
  if (paths.length === 0) return [];
  const added = (await diffTrees(root, since.sha, since.tree)).filter(({ change }) => change === "added");
  const untracked = new Set(added.map(({ path }) => path));
  return paths.filter((path) => untracked.has(path));
}

/** Of these paths, those that no commit had at the anchor, though the tree did: the person's own files. */
export async function personFilesAmong(
  root: string,
  since: State,
  differences: readonly Difference[],
): Promise<ReadonlySet<BytePath>> {
  const old = differences.filter(({ change }) => change !== "added").map(({ path }) => path);
  return new Set(await untrackedAt(root, since, old));
}
