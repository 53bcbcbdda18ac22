// One commit per task, of what was judged (T1, T6), commits of documents (S1), and how one is found again (E2).

import type { Anchor, CommitOutcome, Head, HooksChanges, LeftOut } from "../../../src/core/flow/repository.ts";
import { oneLine } from "../../../src/core/text/format.ts";
import type { CommitOrder } from "../../../src/ports/repo.ts";
import { readSaved, saveBackup, saveState } from "./anchors.ts";
import { capture, compare, personFilesAmong } from "./compare.ts";
import type { Content, Tree } from "./content.ts";
import { cleanMessage, commitsBetween, hasTrailers, subjectOf, trailersOf } from "./history.ts";
import { isIgnored } from "./ignore.ts";
import { isAtOrIn, someOf } from "./paths.ts";
import {
  type Checkout,
  type Commit,
  commitNamed,
  headOf,
  keepCommit,
  keepTree,
  moveHead,
  type Repository,
  setIndex,
} from "./repository.ts";
import { type Difference, differencesOf, withDifferences, withEntries } from "./trees.ts";

export function commit(checkout: Checkout, order: CommitOrder): CommitOutcome {
  return order.documents === undefined
    ? commitTask(checkout, order)
    : commitDocuments(checkout, order, order.documents);
}

/** Looks between the anchor and HEAD only. */
export function findCommit(checkout: Checkout, since: Anchor, request: string): CommitOutcome | undefined {
  const commits = commitsBetween(checkout.clone.repository, since.sha, "HEAD");
  const found = commits.find((each) => trailersOf(each, "Superteam-Request").includes(oneLine(request)));
  if (found === undefined) return undefined;
  const saved = readSaved(checkout, savedName(request));
  return outcomeOf(
    checkout,
    { made: found, request },
    { wanted: saved?.index ?? saved?.tree, judged: saved?.tree, tip: saved?.tip },
  );
}

/** For a sentence. Everybody who commits here has the same name. */
export const describe = (each: Commit): string => `${each.sha.slice(0, 10)} "${subjectOf(each)}" by Ada`;

export const branchName = ({ branch, sha }: Head): string => branch ?? `no branch (${sha.slice(0, 10)})`;

function commitTask(checkout: Checkout, order: CommitOrder): CommitOutcome {
  const { repository } = checkout.clone;
  const { since, leaveOut = [] } = order;
  const head = headOf(repository);
  if (head.branch !== since.branch) {
    const detail = `The work started on ${branchName(since)}, and HEAD is on ${branchName(head)} now, so nothing was committed.`;
    return { status: "refused", detail };
  }
  const now = compare(checkout, since, "untracked");
  if (order.tree !== undefined && order.tree !== now.tree.hash) return moved(repository, order.tree, now.tree);
  const personFiles = personFilesAmong(repository, since, now.differences);
  const isLeftOut = (path: string): boolean => leaveOut.some((place) => isAtOrIn(path, place));
  const ours = now.differences.filter(({ path }) => !personFiles.has(path) && !isLeftOut(path));
  const base = baseFor(repository, order, new Set(ours.map(({ path }) => path)));
  if ("obstacle" in base) return { status: "refused", detail: base.obstacle };
  const wanted = withDifferences(commitNamed(repository, base.parent).tree, ours);
  return make(checkout, order, { parent: base.parent, wanted, judged: now.tree });
}

/** Ours become one with this one; commits of the person's stay below it, unless they are on top of ours or hold our files. */
function baseFor(
  repository: Repository,
  order: CommitOrder,
  paths: ReadonlySet<string>,
): { readonly parent: string } | { readonly obstacle: string } {
  const head = headOf(repository);
  const commits = commitsBetween(repository, order.since.sha, head.sha);
  const isOurs = (each: Commit): boolean =>
    (trailersOf(each, "Superteam-Run")[0] ?? "") === oneLine(order.run) &&
    (trailersOf(each, "Superteam-Task")[0] ?? "") === oneLine(order.task ?? "");
  const ours = commits.filter(isOurs);
  const others = commits.filter((each) => !isOurs(each));
  const obstacle = [`${branchName(head)} has commits that no agent of this task made`, ...others.map(describe)].join(
    "\n",
  );
  if (commits.slice(ours.length).some(isOurs)) return { obstacle };
  const parent = ours.at(-1)?.parents[0] ?? head.sha;
  const theirs = differencesOf(commitNamed(repository, order.since.sha).tree, commitNamed(repository, parent).tree);
  return theirs.some(({ path }) => paths.has(path)) ? { obstacle } : { parent };
}

function moved({ objects }: Repository, judged: string, now: Tree): CommitOutcome {
  const known = objects.trees.get(judged);
  const paths = known === undefined ? [] : differencesOf(known, now).map(({ path }) => path);
  const which = paths.length === 0 ? "" : ` These files differ: ${someOf(paths)}.`;
  return { status: "moved", detail: `The tree changed after it was checked, so nothing was committed.${which}` };
}

/** Documents that git ignores are not among them, unless a commit has them already. */
function commitDocuments(checkout: Checkout, order: CommitOrder, documents: readonly string[]): CommitOutcome {
  const { repository } = checkout.clone;
  const { sha } = headOf(repository);
  const { tree } = commitNamed(repository, sha);
  const { files } = repository.disk;
  const places = documents.map((path) => path.replace(/\/$/, ""));
  const isDocument = (path: string): boolean => places.some((place) => isAtOrIn(path, place));
  const changes = new Map<string, Content | undefined>();
  for (const path of tree.entries.keys()) if (isDocument(path)) changes.set(path, files.get(path)?.content);
  for (const [path, { content }] of files) {
    if (isDocument(path) && (tree.entries.has(path) || !isIgnored(repository.disk, path))) changes.set(path, content);
  }
  return make(checkout, order, { parent: sha, wanted: withEntries(tree, changes), judged: capture(checkout) });
}

interface PendingCommit {
  readonly parent: string;
  /** The tree that the commit shall have. */
  readonly wanted: Tree;
  /** The working tree, as the checks and the reviewers saw it. */
  readonly judged: Tree;
}

/** Commits of ours that change nothing, taken together, leave the branch. What else is staged stays so. */
function make(checkout: Checkout, order: CommitOrder, { parent, wanted, judged }: PendingCommit): CommitOutcome {
  const { clone } = checkout;
  keepTree(clone.repository, wanted);
  const { tree } = commitNamed(clone.repository, parent);
  const isNothing = wanted.hash === tree.hash;
  const head = headOf(clone.repository).sha;
  const tip = head === parent ? undefined : head;
  saveState(checkout, savedName(order.request), { tree: judged.hash, index: wanted.hash, tip });
  if (isNothing && order.documents !== undefined) return { status: "nothing" };
  if (isNothing) {
    moveHead(clone, parent);
    return { status: "nothing" };
  }
  const { index, indexedAt } = clone.repository;
  setIndex(clone, wanted);
  const refusal = clone.hook?.();
  const hooked = clone.repository.index;
  clone.repository = { ...clone.repository, index, indexedAt };
  if (refusal !== undefined) return { status: "refused", detail: refusal };
  const message = cleanMessage(withTrailers(order));
  const made = keepCommit(clone.repository, { tree: hooked, parents: [parent], message, at: clone.clock() });
  moveHead(clone, made.sha);
  return outcomeOf(checkout, { made, request: order.request }, { wanted: wanted.hash, judged: judged.hash, tip });
}

interface AsItShouldBe {
  readonly wanted: string | undefined;
  readonly judged: string | undefined;
  /** A commit whose place it took. */
  readonly tip: string | undefined;
}

function outcomeOf(
  checkout: Checkout,
  { made, request }: { readonly made: Commit; readonly request: string },
  { wanted, judged, tip }: AsItShouldBe,
): CommitOutcome {
  const { repository } = checkout.clone;
  const parent = commitNamed(repository, made.parents[0] ?? "");
  const differences = differencesOf(parent.tree, made.tree);
  const replaced = tip === undefined ? [] : differencesOf(commitNamed(repository, tip).tree, made.tree);
  const paths = [...differences, ...replaced].map(({ path }) => path);
  const trees = [
    parent.tree,
    made.tree,
    capture(checkout),
    ...(tip === undefined ? [] : [commitNamed(repository, tip).tree]),
  ];
  const isOnlyStaged = (path: string): boolean =>
    trees.every((tree) => differencesOf(tree, repository.index).some((each) => each.path === path));
  const only = [...new Set(paths.filter(isOnlyStaged))];
  const { hash } = keepTree(repository, repository.index);
  const ref =
    only.length === 0
      ? ""
      : saveBackup(checkout, `${savedName(request)}-staged-given-back`, { tree: hash, isNew: true });
  const staged = paths.map((path) => [path, made.tree.entries.get(path)] as const);
  setIndex(checkout.clone, withEntries(repository.index, staged));
  const now = capture(checkout);
  const changedByHook = made.tree.hash !== wanted || now.hash !== judged;
  return {
    status: "committed",
    sha: made.sha,
    tree: now.hash,
    changedByHook,
    ...byHook(repository, parent.tree, { wanted, committed: made.tree }),
    files: differences.map(({ path }) => path),
    ...(only.length === 0 ? {} : { staged: { files: only, ref } }),
    ...(changedByHook ? {} : leftOutOf(checkout, request, made, now)),
  };
}

function byHook(
  { objects }: Repository,
  parent: Tree,
  { wanted, committed }: { readonly wanted: string | undefined; readonly committed: Tree },
): { readonly byHook?: HooksChanges } {
  if (committed.hash === wanted) return {};
  const judged = objects.trees.get(wanted ?? "") ?? parent;
  const changed = differencesOf(judged, committed);
  const ours = new Set(differencesOf(parent, judged).map(({ path }) => path));
  const spaceless = (text = ""): string => text.replace(/\n$/, "").replace(/[^\S\n]/g, "");
  const isOnlySpace = changed.every(
    ({ path, change, content }) =>
      change === "modified" && ours.has(path) && spaceless(judged.entries.get(path)?.text) === spaceless(content?.text),
  );
  return { byHook: { files: changed.map(({ path }) => path), isOnlySpace } };
}

function leftOutOf(
  checkout: Checkout,
  request: string,
  { sha, tree: committed }: Commit,
  judged: Tree,
): { readonly leftOut?: LeftOut } {
  const tracked = differencesOf(judged, committed).filter(({ change }) => change !== "deleted");
  const { repository } = checkout.clone;
  // One that is there and in no tree is left out of nothing.
  const isThere = ({ path, change }: Difference): boolean => change === "added" && repository.disk.files.has(path);
  const theirs = tracked.filter((each) => !checkout.isHidden(each.path) && !isThere(each));
  if (theirs.length === 0) return {};
  const tree = keepTree(repository, withDifferences(judged, theirs)).hash;
  const ref = saveState(checkout, `${savedName(request)}-alone`, { tree });
  const { branch } = headOf(repository);
  return { leftOut: { files: theirs.map(({ path }) => path), alone: { sha, branch, tree, ref, leftAlone: [] } } };
}

/** The message with its trailers, which join those that it has already. */
function withTrailers({ message, run, task, request }: CommitOrder): string {
  const ofTask = task === undefined ? [] : [`Superteam-Task: ${oneLine(task)}`];
  const ours = [`Superteam-Run: ${oneLine(run)}`, ...ofTask, `Superteam-Request: ${oneLine(request)}`];
  const text = message.trim();
  return `${text}${hasTrailers(text) ? "\n" : "\n\n"}${ours.join("\n")}\n`;
}

const savedName = (request: string): string => `commit-${request.slice(request.lastIndexOf("/") + 1)}`;
