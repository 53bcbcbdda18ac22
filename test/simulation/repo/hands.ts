// The hands that work in the repository, an agent's or the person's: what one types at a shell, done at once.

import type { RepoRig } from "../../contracts/repo.ts";
import { capture } from "./compare.ts";
import { type Content, type Entries, type Tree, treeOf } from "./content.ts";
import { move, removeAll, writeFile } from "./disk.ts";
import { cleanMessage, historyOf, isAncestor } from "./history.ts";
import { isAtOrIn } from "./paths.ts";
import {
  type Clone,
  changeFiles,
  checkoutOf,
  commitNamed,
  findTree,
  headOf,
  keepCommit,
  moveHead,
  setBranch,
  setIndex,
} from "./repository.ts";
import { detachAt, forwardTo, resetTo, switchTo } from "./switch.ts";
import { withEntries, withoutPaths } from "./trees.ts";

/** The same verbs with the same answers, at once. */
export type Instant<Port> = {
  readonly [Verb in keyof Port]: Port[Verb] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

export type Hands = Instant<Omit<RepoRig, "repo">>;

export function handsOn(clone: Clone): Hands {
  return {
    write: (path, text) => changeFiles(clone, (draft) => writeFile(draft, path, text)),
    read: (path) => clone.repository.disk.files.get(path)?.content.text,
    remove: (path) => changeFiles(clone, (draft) => removeAll(draft, path)),
    rename: (from, to) => changeFiles(clone, (draft) => move(draft, from, to)),
    files: () => filesOn(clone),
    stage: (path) => stage(clone, path, onDisk(clone)),
    unstage: (path) => unstage(clone, path),
    commit: (subject, paths) => commitStaged(clone, subject, paths),
    amend: (subject) => amend(clone, subject),
    uncommit: () => uncommit(clone),
    checkout: (branch) => checkout(clone, branch),
    detach: (commit) => refuse(commit, detachAt(clone, shaNamed(clone, commit))),
    reset: (commit) => resetTo(clone, shaNamed(clone, commit)),
    forward: (branch) => forward(clone, branch),
    log: (from = "HEAD") => historyOf(clone.repository, from).map(({ sha, message }) => ({ sha, message })),
    show: (commit, path) => findTree(clone.repository, commit)?.entries.get(path)?.text,
    hook: (files) => addHook(clone, files),
  };
}

function addHook(clone: Clone, files: Readonly<Record<string, string>>): void {
  clone.hook = () => {
    for (const [path, text] of Object.entries(files)) {
      changeFiles(clone, (draft) => writeFile(draft, path, text));
      stage(clone, path, onDisk(clone));
    }
    return undefined;
  };
}

function filesOn({ repository }: Clone): ReadonlyMap<string, string> {
  const texts = [...repository.disk.files].map(([path, { content }]) => [path, content.text] as const);
  return new Map(texts.sort());
}

/** Makes the index at this path, and in this folder, what is on disk. */
function stage(clone: Clone, path: string, found: Entries): void {
  const { index } = clone.repository;
  const changes = new Map<string, Content | undefined>();
  for (const name of index.entries.keys()) if (isAtOrIn(name, path)) changes.set(name, undefined);
  for (const [name, content] of found) if (isAtOrIn(name, path)) changes.set(name, content);
  setIndex(clone, withEntries(index, changes));
}

/** Every file, by force. */
function onDisk({ repository }: Clone): Entries {
  return new Map([...repository.disk.files].map(([path, { content }]) => [path, content]));
}

/** Tracked files and those that are not ignored; superteam's own count like any other. */
function notIgnored(clone: Clone): Tree {
  return capture({ ...checkoutOf(clone, "", []), isHidden: () => false });
}

function unstage(clone: Clone, path: string): void {
  const { index } = clone.repository;
  const known = [...index.entries.keys()].filter((name) => isAtOrIn(name, path));
  setIndex(clone, withoutPaths(index, known));
}

function commitStaged(clone: Clone, subject: string, paths: readonly string[] | undefined): string {
  if (paths === undefined) setIndex(clone, notIgnored(clone));
  for (const path of paths ?? []) stage(clone, path, notIgnored(clone).entries);
  const { sha } = headOf(clone.repository);
  return commitIndex(clone, subject, sha === "" ? [] : [sha]);
}

/** git refuses to leave a commit that changes nothing. */
function amend(clone: Clone, subject: string): void {
  const { repository } = clone;
  const { parents } = commitNamed(repository, "HEAD");
  const before = parents[0] === undefined ? treeOf(new Map()) : commitNamed(repository, parents[0]).tree;
  if (before.hash === repository.index.hash) throw new Error("amending would leave a commit that changes nothing");
  commitIndex(clone, subject, parents);
}

function uncommit(clone: Clone): void {
  const [parent] = commitNamed(clone.repository, "HEAD").parents;
  if (parent === undefined) throw new Error("there is no commit before the first one");
  moveHead(clone, parent);
}

function commitIndex(clone: Clone, subject: string, parents: readonly string[]): string {
  const { index: tree } = clone.repository;
  const message = cleanMessage(subject);
  const { sha } = keepCommit(clone.repository, { tree, parents, message, at: clone.clock() });
  moveHead(clone, sha);
  return sha;
}

function checkout(clone: Clone, branch: string): void {
  const { repository } = clone;
  if (!repository.branches.has(branch)) {
    setBranch(clone, branch, headOf(repository).sha);
    clone.repository = { ...clone.repository, head: { branch } };
    return;
  }
  refuse(branch, switchTo(clone, branch));
}

function forward(clone: Clone, branch: string): void {
  const [from, to] = [headOf(clone.repository).sha, shaNamed(clone, branch)];
  if (isAncestor(clone.repository, to, from)) return;
  if (!isAncestor(clone.repository, from, to)) throw new Error(`${branch} is not ahead`);
  refuse(branch, forwardTo(clone, to));
}

function shaNamed({ repository }: Clone, name: string): string {
  return commitNamed(repository, repository.branches.get(name) ?? name).sha;
}

function refuse(to: string, conflicts: readonly string[]): void {
  if (conflicts.length > 0) throw new Error(`these files are in the way of ${to}: ${conflicts.join(", ")}`);
}
