// Going back to an anchor (E3). What is there now is saved under a ref first; then files, branch and index are restored. Ignored
// files in the way of a path are never removed (S1): the path is left alone, or they are moved beside the run's journal.

import type { Head, RestoreOutcome, State, UncommittedWork, UndoOutcome } from "../../../src/core/flow/repository.ts";
import { look, saveBackup, stateWithout } from "./anchors.ts";
import { compare, compareCaptured, ignoredAmong, stillThere } from "./compare.ts";
import { type Tree, treeOf } from "./content.ts";
import { dropFile, isFree, removeAll, replaceFile } from "./disk.ts";
import { foldersAbove, isAtOrIn } from "./paths.ts";
import {
  type Checkout,
  type Clone,
  changeFiles,
  commitNamed,
  headOf,
  keepTree,
  pointHead,
  setIndex,
  treeNamed,
} from "./repository.ts";
import { type Difference, withEntries, withoutPaths } from "./trees.ts";

export function restore(checkout: Checkout, to: State, name: string): RestoreOutcome {
  let last = makePass(checkout, to, name);
  const { moved } = last;
  const restored = new Set(last.restored);
  // With the anchor's ignore rules back, files that other rules had hidden are seen. They may be rules themselves, so this
  // goes on for as long as something new comes to light.
  for (let before = -1; !last.isComplete && before < restored.size; ) {
    before = restored.size;
    last = makePass(checkout, to, name);
    for (const path of last.restored) restored.add(path);
  }
  return { restored: [...restored].sort(), backupRef: last.backupRef, moved, leftAlone: [...last.blocked].sort() };
}

/** The files themselves, and new ones that took the place of a file or of a folder above it. HEAD and index stay. */
export function restoreFiles(checkout: Checkout, since: State, paths: readonly string[], name: string): RestoreOutcome {
  const { clone } = checkout;
  const now = compare(checkout, since, "all");
  const wanted = now.differences.map(({ path }) => path).filter((path) => paths.includes(path));
  const above = new Set(wanted.flatMap(foldersAbove));
  const isChosen = ({ path, change }: Difference): boolean =>
    wanted.some((place) => isAtOrIn(path, place)) || (change === "added" && above.has(path));
  const differences = now.differences.filter(isChosen);
  const backup = { tree: now.seen.hash, isNew: differences.length > 0 };
  const backupRef = saveBackup(checkout, `${name}-given-back`, backup);
  const tree = treeNamed(clone.repository, since.tree);
  const first = checkOutPaths(clone, tree, differences);
  clearTheWay(checkout, first.blocked, name);
  const rest = differences.filter(({ path }) => first.blocked.includes(path));
  const { restored, blocked } = checkOutPaths(clone, tree, rest);
  return { restored: [...first.restored, ...restored], backupRef, moved: false, leftAlone: blocked };
}

/** What came into the place of a file, or of a folder above it. It is moved beside the run's journal, which here is a ref. */
function clearTheWay(checkout: Checkout, blocked: readonly string[], name: string): void {
  const { clone } = checkout;
  const isInTheWay = (file: string): boolean =>
    blocked.some((path) => file !== path && (isAtOrIn(file, path) || isAtOrIn(path, file)));
  const found = [...clone.repository.disk.files].filter(([file]) => isInTheWay(file));
  if (found.length === 0) return;
  const aside = new Map(found.map(([file, { content }]) => [file, content]));
  saveBackup(checkout, `${name}-aside`, { tree: keepTree(clone.repository, treeOf(aside)).hash, isNew: true });
  changeFiles(clone, (draft) => {
    for (const [file] of found) removeAll(draft, file);
    for (const path of blocked) removeAll(draft, path);
  });
}

interface Pass {
  readonly restored: readonly string[];
  /** Not restored, because something is in the way. */
  readonly blocked: readonly string[];
  /** Nothing is blocked, and the tree holds no file that the anchor does not. */
  readonly isComplete: boolean;
  readonly backupRef: string;
  readonly moved: boolean;
}

function makePass(checkout: Checkout, to: State, name: string): Pass {
  const { clone } = checkout;
  const now = compare(checkout, to, "all");
  const head = headOf(clone.repository);
  const index = keepTree(clone.repository, clone.repository.index).hash;
  const moved = head.sha !== to.sha || head.branch !== to.branch;
  const tips = [...new Set([head.sha, otherTip(clone, head, to) ?? head.sha])].filter((tip) => tip !== to.sha);
  const isNew = moved || now.differences.length > 0 || index !== to.index;
  const backup = { tree: now.seen.hash, index, tip: tips[0], isNew };
  const backupRef = saveBackup(checkout, `${name}-given-up`, backup);
  if (tips[1] !== undefined) saveBackup(checkout, `${name}-other-given-up`, { ...backup, tip: tips[1] });
  const { restored, blocked } = checkOutPaths(clone, treeNamed(clone.repository, to.tree), now.differences);
  pointHead(clone, to);
  setIndex(clone, treeNamed(clone.repository, to.index ?? to.sha));
  const isUncovered = trackAgain(checkout, to);
  return { restored, blocked, isComplete: blocked.length === 0 && !isUncovered, backupRef, moved };
}

/** Takes work back: its files, what is staged of them, and a commit of ours that holds it. */
export function undoWork(checkout: Checkout, work: UncommittedWork, name: string): UndoOutcome {
  const here = look(checkout);
  const isOurs = work.commit !== undefined && here.sha === work.commit;
  const [parent = here.sha] = isOurs ? commitNamed(checkout.clone.repository, here.sha).parents : [];
  return { ...restore(checkout, stateWithout(checkout, { ...here, sha: parent }, work), name), found: here.tree };
}

/** The tip of the anchor's branch, when HEAD is on another one by now. */
function otherTip({ repository }: Clone, head: Head, to: State): string | undefined {
  if (to.branch === null || head.branch === to.branch) return undefined;
  return repository.branches.get(to.branch);
}

/**
 * A file that git ignores is in the tree only while it is tracked, so it is tracked again if it was in the anchor's index, and
 * no longer if it was not in its tree. Says whether there are files now that the anchor does not have.
 */
function trackAgain(checkout: Checkout, to: State): boolean {
  const { clone } = checkout;
  const { differences } = compareCaptured(checkout, to, []);
  if (differences.length === 0) return false;
  const { disk, index } = clone.repository;
  const ignored = ignoredAmong(clone.repository, differences);
  const wasTracked = to.index === undefined ? undefined : treeNamed(clone.repository, to.index).entries;
  const tracked = stillThere(clone.repository, differences)
    .filter((path) => wasTracked?.has(path) ?? true)
    .map((path) => [path, disk.files.get(path)?.content] as const);
  setIndex(clone, withoutPaths(withEntries(index, tracked), [...ignored]));
  return differences.some(({ path, change }) => change === "added" && !ignored.has(path));
}

interface PathsCheckedOut {
  readonly restored: readonly string[];
  /** Something that must not be removed is in the way. */
  readonly blocked: readonly string[];
}

/** `differences` lead from `tree` to what is on disk now. Ignore rules come first: they tell which new files were made since. */
function checkOutPaths(clone: Clone, tree: Tree, differences: readonly Difference[]): PathsCheckedOut {
  const rules = differences.filter(({ path }) => /(^|\/)\.gitignore(\/|$)/.test(path));
  checkOutThese(clone, tree, rules);
  const ignored = ignoredAmong(clone.repository, differences);
  const chosen = differences.filter(({ path }) => !ignored.has(path));
  const blocked = checkOutThese(clone, tree, chosen);
  const restored = chosen.map(({ path }) => path).filter((path) => !blocked.includes(path));
  return { restored, blocked };
}

function checkOutThese(clone: Clone, tree: Tree, differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return [];
  const blocked: string[] = [];
  changeFiles(clone, (draft) => {
    for (const { path, change } of differences) if (change === "added") dropFile(draft, path);
    for (const { path, change } of differences) {
      if (change === "added") continue;
      const content = tree.entries.get(path);
      if (content !== undefined && isFree(draft, path)) replaceFile(draft, path, content);
      else blocked.push(path);
    }
  });
  return blocked;
}
