// A git repository as one plain value: what is on disk, the index, commits, branches, refs and HEAD. Every change makes a new value
// and shares what has not changed, so that a copy costs nothing: keep the value to fork a run, or to say what a crash left.

import type { Head } from "../../../src/core/flow/repository.ts";
import { hashOf, type Tree, treeOf } from "./content.ts";
import { changeDisk, type Disk, type Draft, emptyDisk } from "./disk.ts";
import { hiddenPaths } from "./paths.ts";

export interface Repository {
  readonly disk: Disk;
  readonly index: Tree;
  readonly head: { readonly branch: string } | { readonly detachedAt: string };
  /** By their full names, branches included: the hash of a commit. */
  readonly refs: ReadonlyMap<string, string>;
  /** Shared by all copies: objects are only ever added, and are named by what they hold. */
  readonly objects: Objects;
}

export interface Objects {
  readonly commits: Map<string, Commit>;
  readonly trees: Map<string, Tree>;
}

export interface Commit {
  readonly sha: string;
  readonly tree: Tree;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since the epoch, at the start of a second: git counts in seconds. */
  readonly at: number;
}

/** One repository over time. Hands, runs and superteam share it, as processes share a folder. */
export interface Clone {
  repository: Repository;
  /** Milliseconds since the epoch, asked anew for each change. */
  readonly clock: () => number;
}

/** A clone as one run sees it. */
export interface Checkout {
  readonly clone: Clone;
  readonly runId: string;
  readonly documents: readonly string[];
  /** superteam's own files and the run's documents: in no tree, no restore, no task's commit (S1). */
  readonly isHidden: (path: string) => boolean;
}

export function checkoutOf(clone: Clone, runId: string, documents: readonly string[]): Checkout {
  return { clone, runId, documents, isHidden: hiddenPaths(documents) };
}

/** Without a file or a commit, on the branch `main`. */
export function emptyRepository(): Repository {
  const objects = { commits: new Map(), trees: new Map() };
  return { disk: emptyDisk, index: treeOf(new Map()), head: { branch: "main" }, refs: new Map(), objects };
}

export const branchRef = (branch: string): string => `refs/heads/${branch}`;

export function headOf({ head, refs }: Repository): Head {
  if ("detachedAt" in head) return { sha: head.detachedAt, branch: null };
  return { sha: refs.get(branchRef(head.branch)) ?? "", branch: head.branch };
}

/** A commit by its hash, the name of a ref, or `HEAD`. */
export function findNamed(repository: Repository, name: string): Commit | undefined {
  const sha = name === "HEAD" ? headOf(repository).sha : (repository.refs.get(name) ?? name);
  return repository.objects.commits.get(sha);
}

export function commitNamed(repository: Repository, name: string): Commit {
  const found = findNamed(repository, name);
  if (found === undefined) throw new Error(`there is no commit ${name}`);
  return found;
}

/** A tree by its hash, or that of a commit. */
export function treeNamed({ objects }: Repository, hash: string): Tree {
  const found = objects.trees.get(hash) ?? objects.commits.get(hash)?.tree;
  if (found === undefined) throw new Error(`there is no tree ${hash}`);
  return found;
}

export function keepTree({ objects }: Repository, tree: Tree): Tree {
  const known = objects.trees.get(tree.hash);
  if (known === undefined) objects.trees.set(tree.hash, tree);
  return known ?? tree;
}

export function keepCommit(repository: Repository, what: Omit<Commit, "sha">): Commit {
  const at = Math.floor(what.at / 1000) * 1000;
  const sha = hashOf([what.tree.hash, what.parents.join(" "), at, what.message].join("\n"));
  const commit = { ...what, tree: keepTree(repository, what.tree), at, sha };
  repository.objects.commits.set(sha, commit);
  return commit;
}

export function setIndex(clone: Clone, index: Tree): void {
  clone.repository = { ...clone.repository, index };
}

export function setRef(clone: Clone, name: string, sha: string): void {
  clone.repository = { ...clone.repository, refs: new Map(clone.repository.refs).set(name, sha) };
}

/** Moves what HEAD points to: the branch, or HEAD itself. Files and index stay. */
export function moveHead(clone: Clone, sha: string): void {
  const { head } = clone.repository;
  if ("branch" in head) setRef(clone, branchRef(head.branch), sha);
  else clone.repository = { ...clone.repository, head: { detachedAt: sha } };
}

export function changeFiles(clone: Clone, change: (draft: Draft) => void): void {
  clone.repository = { ...clone.repository, disk: changeDisk(clone.repository.disk, clone.clock(), change) };
}
