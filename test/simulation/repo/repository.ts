// A git repository as one plain value: what is on disk, the index, commits, branches, refs and HEAD. Every change makes a new value
// and shares what has not changed, so that a copy costs nothing: keep the value to fork a run, or to say what a crash left.

import type { Head } from "../../../src/core/flow/repository.ts";
import { hashOf, type Tree, treeOf } from "./content.ts";
import { changeDisk, type Disk, type Draft, emptyDisk } from "./disk.ts";
import { hiddenPaths } from "./paths.ts";

export interface Repository {
  readonly disk: Disk;
  readonly index: Tree;
  /** When it was changed last. */
  readonly indexedAt: number;
  readonly head: { readonly branch: string } | { readonly detachedAt: string };
  /** By name: the hash of a commit. */
  readonly branches: ReadonlyMap<string, string>;
  /** When each was moved last. */
  readonly branchedAt: ReadonlyMap<string, number>;
  /** All that superteam keeps, the latest first. */
  readonly refs: Ref | undefined;
  /** Shared by all copies: objects are only ever added, and are named by what they hold. */
  readonly objects: Objects;
}

/**
 * A list and no map: it grows with every snapshot, and a copy of it must cost nothing. A name that occurs again has moved; one
 * without a hash was removed.
 */
export interface Ref {
  readonly name: string;
  /** Of a tree or a commit. */
  readonly sha: string | undefined;
  readonly earlier: Ref | undefined;
}

export interface Objects {
  readonly commits: Map<string, Commit>;
  readonly trees: Map<string, Tree>;
  /** Branches as they were when a state was saved, by the name that its anchor has for them. */
  readonly around: Map<string, ReadonlyMap<string, string>>;
  /** All files as they were when a state was saved, ignored ones too, by the ref of its anchor. */
  readonly disks: Map<string, Disk>;
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
  /** Runs before a commit of superteam's, when the index is filled. */
  hook?: Hook;
}

/** May change files and index. Says why when it refuses the commit. */
export type Hook = () => string | undefined;

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
  const objects = { commits: new Map(), trees: new Map(), around: new Map(), disks: new Map() };
  const index = treeOf(new Map());
  return {
    disk: emptyDisk,
    index,
    indexedAt: 0,
    head: { branch: "main" },
    branches: new Map(),
    branchedAt: new Map(),
    refs: undefined,
    objects,
  };
}

export function headOf({ head, branches }: Repository): Head {
  if ("detachedAt" in head) return { sha: head.detachedAt, branch: null };
  return { sha: branches.get(head.branch) ?? "", branch: head.branch };
}

/** A commit by its hash, the name of a ref, or `HEAD`. */
export function findNamed(repository: Repository, name: string): Commit | undefined {
  return repository.objects.commits.get(hashNamed(repository, name));
}

/** The tree of a commit or a ref. */
export function findTree(repository: Repository, name: string): Tree | undefined {
  const { commits, trees } = repository.objects;
  const hash = hashNamed(repository, name);
  return trees.get(hash) ?? commits.get(hash)?.tree;
}

function hashNamed(repository: Repository, name: string): string {
  if (name === "HEAD") return headOf(repository).sha;
  return name.startsWith("refs/") ? (shaOf(repository, name) ?? "") : name;
}

export function shaOf({ refs }: Repository, name: string): string | undefined {
  for (let ref = refs; ref !== undefined; ref = ref.earlier) if (ref.name === name) return ref.sha;
  return undefined;
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
  const { repository } = clone;
  if (index.hash !== repository.index.hash) clone.repository = { ...repository, index, indexedAt: clone.clock() };
}

export function setRef(clone: Clone, name: string, sha: string | undefined): void {
  const { repository } = clone;
  clone.repository = { ...repository, refs: { name, sha, earlier: repository.refs } };
}

export function setBranch(clone: Clone, branch: string, sha: string): void {
  const { repository } = clone;
  const branches = new Map(repository.branches).set(branch, sha);
  const branchedAt = new Map(repository.branchedAt).set(branch, clone.clock());
  clone.repository = { ...repository, branches, branchedAt };
}

/** Puts HEAD on a branch, or on a commit without one, and the branch there. Files and index stay. */
export function pointHead(clone: Clone, { sha, branch }: Head): void {
  const head = branch === null ? { detachedAt: sha } : { branch };
  clone.repository = { ...clone.repository, head };
  moveHead(clone, sha);
}

/** Moves what HEAD points to: the branch, or HEAD itself. Files and index stay. */
export function moveHead(clone: Clone, sha: string): void {
  const { head } = clone.repository;
  if ("branch" in head) setBranch(clone, head.branch, sha);
  else clone.repository = { ...clone.repository, head: { detachedAt: sha } };
}

export function changeFiles(clone: Clone, change: (draft: Draft) => void): void {
  clone.repository = { ...clone.repository, disk: changeDisk(clone.repository.disk, clone.clock(), change) };
}
