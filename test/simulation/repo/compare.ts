// The working tree as a tree (T6), and what has changed since an anchor (E3), whether committed, staged, unstaged or untracked.

import type { State } from "../../../src/core/flow/repository.ts";
import { type Content, type Entries, type Tree, treeOf } from "./content.ts";
import type { Disk } from "./disk.ts";
import { isIgnored } from "./ignore.ts";
import { type Checkout, commitNamed, keepTree, type Repository, treeNamed } from "./repository.ts";
import { type Difference, differencesOf } from "./trees.ts";

export interface Comparison {
  /** The working tree, as `tree()` gives it. */
  readonly tree: Tree;
  /** The same, with the files that only seem to be gone. What `differences` leads to. */
  readonly seen: Tree;
  readonly differences: readonly Difference[];
}

/**
 * A file that was there at the anchor and is ignored now is in no tree, though nobody deleted it. `ignored` says which of
 * these files count as present: all, or just those that were untracked.
 */
export function compare(checkout: Checkout, since: State, ignored: "untracked" | "all"): Comparison {
  const { repository } = checkout.clone;
  const first = compareCaptured(checkout, since, []);
  const hiding = stillThere(repository, first.differences);
  const present = ignored === "all" ? hiding : untrackedAt(repository, since, hiding);
  if (present.length === 0) return first;
  return { ...compareCaptured(checkout, since, present), tree: first.tree };
}

/** As the ignore rules show the tree now, and these paths as well. */
export function compareCaptured(checkout: Checkout, since: State, also: readonly string[]): Comparison {
  const tree = capture(checkout, also);
  const all = differencesOf(treeNamed(checkout.clone.repository, since.tree), tree);
  return { tree, seen: tree, differences: all.filter(({ path }) => !checkout.isHidden(path)) };
}

/** Tracked and untracked files, without ignored and hidden ones (S1). `also`: paths that count though git ignores them. */
export function capture(checkout: Checkout, also: readonly string[] = []): Tree {
  const { disk, index } = checkout.clone.repository;
  const known = latest.get(checkout);
  if (known?.disk === disk && known.index === index && also.length === 0) return known.tree;
  const tree = keepTree(checkout.clone.repository, treeOf(visibleIn(checkout, also)));
  if (also.length === 0) latest.set(checkout, { disk, index, tree });
  return tree;
}

/** One step looks at the same files several times. */
const latest = new WeakMap<Checkout, { readonly disk: Disk; readonly index: Tree; readonly tree: Tree }>();

function visibleIn({ clone, isHidden }: Checkout, also: readonly string[]): Entries {
  const { disk, index } = clone.repository;
  const entries = new Map<string, Content>();
  for (const [path, { content }] of disk.files) {
    const isVisible = index.entries.has(path) || !isIgnored(disk, path) || also.includes(path);
    if (isVisible && !isHidden(path)) entries.set(path, content);
  }
  return entries;
}

/** Paths that a tree has lost and the disk has not. */
export function stillThere({ disk }: Repository, differences: readonly Difference[]): readonly string[] {
  const lost = differences.filter(({ path, change }) => change === "deleted" && disk.files.has(path));
  return lost.map(({ path }) => path);
}

/** Of these paths, those that no commit had at the anchor, though the tree did: the person's own files. */
export function untrackedAt(repository: Repository, since: State, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const tracked = commitNamed(repository, since.sha).tree.entries;
  const held = treeNamed(repository, since.tree).entries;
  return paths.filter((path) => held.has(path) && !tracked.has(path));
}

export function personFilesAmong(
  repository: Repository,
  since: State,
  differences: readonly Difference[],
): ReadonlySet<string> {
  const old = differences.filter(({ change }) => change !== "added").map(({ path }) => path);
  return new Set(untrackedAt(repository, since, old));
}

/** Of these files, new ones that git would ignore if they were not tracked. */
export function ignoredAmong({ disk }: Repository, differences: readonly Difference[]): ReadonlySet<string> {
  const added = differences.filter(({ path, change }) => change === "added" && isIgnored(disk, path));
  return new Set(added.map(({ path }) => path));
}
