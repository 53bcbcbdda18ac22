// One commit per task, of what was judged (T1, T6), commits of documents (S1), and how one is found again (E2).

import type { Anchor, CommitOutcome, Head } from "../../../src/core/flow/repository.ts";
import { oneLine } from "../../../src/core/text/format.ts";
import type { CommitOrder } from "../../../src/ports/repo.ts";
import { savedCommit, saveTree } from "./anchors.ts";
import { capture, compare, personFilesAmong } from "./compare.ts";
import type { Content, Tree } from "./content.ts";
import { cleanMessage, commitsBetween, hasTrailers, isAncestor, subjectOf, trailersOf } from "./history.ts";
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
import { differencesOf, withDifferences, withEntries } from "./trees.ts";

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
  const saved = savedCommit(checkout, savedName(request));
  const wanted = saved === undefined ? undefined : trailersOf(saved, wantedKey)[0];
  return outcomeOf(checkout, found, { wanted, judged: saved?.tree.hash });
}

/** For a sentence. Everybody who commits here has the same name. */
export const describe = (each: Commit): string => `${each.sha.slice(0, 10)} "${subjectOf(each)}" by Ada`;

export const branchName = ({ branch, sha }: Head): string => branch ?? `no branch (${sha.slice(0, 10)})`;

function commitTask(checkout: Checkout, order: CommitOrder): CommitOutcome {
  const { repository } = checkout.clone;
  const { since } = order;
  const head = headOf(repository);
  const obstacle = whyNotFrom(repository, since, head) ?? whyNotSquash(repository, order, head);
  if (obstacle !== undefined) return { status: "refused", detail: obstacle };
  const now = compare(checkout, since, "untracked");
  if (order.tree !== undefined && order.tree !== now.tree.hash) return moved(repository, order.tree, now.tree);
  const personFiles = personFilesAmong(repository, since, now.differences);
  const ours = now.differences.filter(({ path }) => !personFiles.has(path));
  const wanted = withDifferences(commitNamed(repository, since.sha).tree, ours);
  return make(checkout, order, { parent: since.sha, wanted, judged: now.tree });
}

function whyNotFrom(repository: Repository, since: Anchor, head: Head): string | undefined {
  if (head.branch !== since.branch)
    return `The work started on ${branchName(since)}, and HEAD is on ${branchName(head)} now, so nothing was committed.`;
  if (isAncestor(repository, since.sha, head.sha)) return undefined;
  return `${branchName(head)} no longer contains ${since.sha.slice(0, 10)}, so nothing was committed.`;
}

/** Commits beyond the tip that are not the task's own would be lost in it. */
function whyNotSquash(repository: Repository, order: CommitOrder, head: Head): string | undefined {
  if (order.tip === undefined || head.sha === order.tip) return undefined;
  const isOurs = (each: Commit): boolean =>
    (trailersOf(each, "Superteam-Run")[0] ?? "") === oneLine(order.run) &&
    (trailersOf(each, "Superteam-Task")[0] ?? "") === oneLine(order.task ?? "");
  const others = commitsBetween(repository, order.tip, head.sha).filter((each) => !isOurs(each));
  if (others.length === 0) return undefined;
  return [`${branchName(head)} has commits that no agent of this task made:`, ...others.map(describe)].join("\n");
}

function moved({ objects }: Repository, judged: string, now: Tree): CommitOutcome {
  const known = objects.trees.get(judged);
  const paths = known === undefined ? [] : differencesOf(known, now).map(({ path }) => path);
  const which = paths.length === 0 ? "" : ` These files differ: ${someOf(paths)}.`;
  return { status: "moved", detail: `The tree is not the one that was judged, so nothing was committed.${which}` };
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

/** Commits of the agent that change nothing, taken together, leave the branch and stay under the ref; so does what it staged. */
function make(checkout: Checkout, order: CommitOrder, { parent, wanted, judged }: PendingCommit): CommitOutcome {
  const { clone } = checkout;
  keepTree(clone.repository, wanted);
  const { tree } = commitNamed(clone.repository, parent);
  const isNothing = wanted.hash === tree.hash;
  const note = `${wantedKey}: ${wanted.hash}`;
  const tip = headOf(clone.repository).sha;
  saveTree(checkout, savedName(order.request), { tree: judged, parents: [tip], note });
  if (isNothing && order.documents !== undefined) return { status: "nothing" };
  const { index } = clone.repository;
  setIndex(clone, wanted);
  if (isNothing) {
    moveHead(clone, parent);
    return { status: "nothing" };
  }
  const refusal = clone.hook?.();
  if (refusal !== undefined) {
    setIndex(clone, index);
    return { status: "refused", detail: refusal };
  }
  const message = cleanMessage(withTrailers(order));
  const hooked = clone.repository.index;
  const made = keepCommit(clone.repository, { tree: hooked, parents: [parent], message, at: clone.clock() });
  moveHead(clone, made.sha);
  return outcomeOf(checkout, made, { wanted: wanted.hash, judged: judged.hash });
}

interface AsItShouldBe {
  readonly wanted: string | undefined;
  readonly judged: string | undefined;
}

function outcomeOf(checkout: Checkout, made: Commit, { wanted, judged }: AsItShouldBe): CommitOutcome {
  const now = capture(checkout);
  const parent = commitNamed(checkout.clone.repository, made.parents[0] ?? "");
  return {
    status: "committed",
    sha: made.sha,
    tree: now.hash,
    changedByHook: made.tree.hash !== wanted || now.hash !== judged,
    files: differencesOf(parent.tree, made.tree).map(({ path }) => path),
  };
}

/** The message with its trailers, which join those that it has already. */
function withTrailers({ message, run, task, request }: CommitOrder): string {
  const ofTask = task === undefined ? [] : [`Superteam-Task: ${oneLine(task)}`];
  const ours = [`Superteam-Run: ${oneLine(run)}`, ...ofTask, `Superteam-Request: ${oneLine(request)}`];
  const text = message.trim();
  return `${text}${hasTrailers(text) ? "\n" : "\n\n"}${ours.join("\n")}\n`;
}

const savedName = (request: string): string => `commit-${request.slice(request.lastIndexOf("/") + 1)}`;
const wantedKey = "Superteam-Wanted";
