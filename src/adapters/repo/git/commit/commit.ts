// Makes one commit of the judged tree (T6) with git itself, so that the person's hooks and signing apply.
//
// The tree to commit is built first, apart from index and files. Then HEAD moves to the parent, a copy of the index is filled,
// and git commits. When that fails, all of it is undone. A process that is killed on the way leaves the judged tree and the former tip
// under a ref, and every file as it is, unless a hook was just changing it: committing again does the same again (E2), or says
// that the tree has moved.

import type { CommitOutcome } from "../../../../core/flow/repository.ts";
import type { CommitOrder } from "../../../../ports/repo.ts";
import { addEntries } from "../capture/add-entries.ts";
import { capture } from "../capture/capture.ts";
import { type Checkout, moveHead, readHead } from "../place/checkout.ts";
import { insteadOfConfigured } from "../place/hooks.ts";
import { whyNotNow } from "../place/operation.ts";
import { type BytePath, someOf, toBytes, within } from "../process/paths.ts";
import { type GitAnswer, GitFailed, git, tryGit } from "../process/run.ts";
import { type PendingCommit, undoCommit } from "../restore/undo-commit.ts";
import { compare, personFilesAmong } from "../tree/compare.ts";
import { withIndexCopy, withIndexOf, withSavedIndex } from "../tree/index-file.ts";
import { applyDifferences, diffTrees, treeOf } from "../tree/trees.ts";
import { askChanges, findCommit, outcomeOf, saveJudged, withTrailers } from "./find-commit.ts";
import { baseFor } from "./others-commits.ts";
import { moveToPlain, writePlainly } from "./plain-commit.ts";
import { commitRefusal, onlyConfigured, whyNotHere, whyNotStored, whyNotWho } from "./refusal.ts";

export async function commit(checkout: Checkout, order: CommitOrder): Promise<CommitOutcome> {
  const obstacle = whyNotNow(checkout);
  if (obstacle !== undefined) return refused(obstacle);
  return order.documents === undefined
    ? await commitTask(checkout, order)
    : await commitDocuments(checkout, order, order.documents);
}

async function commitTask(checkout: Checkout, order: CommitOrder): Promise<CommitOutcome> {
  const { since, leaveOut = [] } = order;
  const head = await readHead(checkout);
  const elsewhere = whyNotHere(since, head);
  if (elsewhere !== undefined) return refused(elsewhere);
  const now = await compare(checkout, since, "untracked");
  if (order.tree !== undefined && order.tree !== now.tree) return await moved(checkout.root, order.tree, now.tree);
  const personFiles = await personFilesAmong(checkout.root, since, now.differences);
  const isLeftOut = within(leaveOut.map(toBytes));
  const ours = now.differences.filter(({ path }) => !personFiles.has(path) && !isLeftOut(path));
  const unstored = ours.flatMap(({ path }) => (now.refused.includes(path) ? [path] : []));
  if (unstored.length > 0) return refused(whyNotStored(unstored));
  const base = await baseFor(checkout.root, order, { head, paths: new Set(ours.map(({ path }) => path)) });
  if ("obstacle" in base) return refused(base.obstacle);
  const { parent } = base;
  const wanted = await applyDifferences(checkout, parent, ours);
  return await make(checkout, { order, parent, tip: head.sha, wanted, judged: now.tree });
}

/** A tree that git has removed cannot be compared, so it counts as a different one. */
async function moved(root: string, judged: string, now: string): Promise<CommitOutcome> {
  const isKept = (await tryGit(root, ["cat-file", "-e", judged])).code === 0;
  const paths = isKept ? (await diffTrees(root, judged, now)).map(({ path }) => path) : [];
  const which = paths.length === 0 ? "" : ` These files differ: ${someOf(paths)}.`;
  return { status: "moved", detail: `The tree changed after it was checked, so nothing was committed.${which}` };
}

async function commitDocuments(
  checkout: Checkout,
  order: CommitOrder,
  documents: readonly string[],
): Promise<CommitOutcome> {
  const { sha } = await readHead(checkout);
  const { wanted, unstored } = await withIndexOf(checkout, sha, async (index) => {
    const changed = await changedDocuments(checkout.root, index, documents);
    const { refused: unstored } = await addEntries(checkout.root, index, changed);
    return { wanted: (await git(checkout.root, ["write-tree"], { index })).trim(), unstored };
  });
  if (unstored.length > 0) return refused(whyNotStored(unstored));
  const { tree } = await capture(checkout);
  return await make(checkout, { order, parent: sha, tip: sha, wanted, judged: tree });
}

/** Documents that git ignores are not among them: the person does not want them in the repository. */
async function changedDocuments(
  root: string,
  index: string,
  documents: readonly string[],
): Promise<readonly BytePath[]> {
  if (documents.length === 0) return [];
  const places = documents.map((path) => `:(top,literal)${path}`);
  // What git would have to compare with its file is taken for changed: it may refuse to read it.
  const found = await Promise.all([
    git(root, ["diff-files", "-z", "--name-only", "--", ...places], { index }),
    git(root, ["ls-files", "-z", "-o", "--exclude-standard", "--", ...places], { index }),
  ]);
  return [...new Set(found.join("").split("\0"))].filter((path) => path !== "");
}

async function make(checkout: Checkout, work: PendingCommit): Promise<CommitOutcome> {
  const { order, parent, tip, wanted, judged } = work;
  const isNothing = wanted === (await treeOf(checkout.root, parent));
  const replaced = tip === parent ? undefined : tip;
  const [plain] = await Promise.all([
    isNothing || order.documents !== undefined ? undefined : writePlainly(checkout, work),
    saveJudged(checkout, order.request, { judged, wanted, tip: replaced }),
  ]);
  if (isNothing) return await leaveNothing(checkout, work);
  const made = { parent, wanted, judged, tip: replaced };
  const moved = plain === undefined ? undefined : await movedTo(checkout, work, plain);
  // The index is as it was then, and the person's.
  if (plain !== undefined && moved?.code === 0)
    return await outcomeOf(checkout, order.request, { ...made, sha: plain, isOurs: true });
  return await withSavedIndex(checkout, async (saved) => {
    const answer = moved ?? (await attempt(checkout, work));
    const found = answer.code === 0 ? undefined : await findCommit(checkout, order.since, order.request);
    if (found !== undefined) return found;
    if (answer.code !== 0) {
      const state = await undoCommit(checkout, work, saved);
      return refused((await whyNotWho(checkout.root)) ?? commitRefusal(answer, state));
    }
    return await outcomeOf(checkout, order.request, { ...made, sha: (await readHead(checkout)).sha });
  });
}

/** Meanwhile git says what the commit changes. */
async function movedTo(checkout: Checkout, work: PendingCommit, sha: string): Promise<GitAnswer> {
  const [moved] = await Promise.all([moveToPlain(checkout, work, sha), askChanges(checkout.root, work.parent, sha)]);
  return moved;
}

/** Commits of ours that change nothing, taken together, leave the branch and stay under the ref. */
async function leaveNothing(checkout: Checkout, { order, parent, tip }: PendingCommit): Promise<CommitOutcome> {
  if (order.documents === undefined && tip !== parent) await moveHead(checkout.root, parent, tip);
  return { status: "nothing" };
}

/**
 * git commits from an index of its own, as `git commit -- <files>` does, so that what the person has staged stays staged. A
 * hook may run a whole test suite. One that never ends is ended, and the commit refused.
 */
async function attempt(checkout: Checkout, { order, parent, tip, wanted }: PendingCommit): Promise<GitAnswer> {
  return await withIndexCopy(checkout, async (index) => {
    try {
      if (tip !== parent) await moveHead(checkout.root, parent, tip);
      await git(checkout.root, ["read-tree", "--reset", wanted], { index });
    } catch (error) {
      if (error instanceof GitFailed) return error.answer;
      throw error;
    }
    const tidying = order.documents === undefined ? untidied : [];
    const hooks = (await insteadOfConfigured(checkout)) ?? [];
    const args = [...onlyConfigured, ...tidying, ...hooks, "commit", "--quiet", "--cleanup=whitespace", "--file=-"];
    return await tryGit(checkout.root, args, { as: "person", index, input: toBytes(withTrailers(order)) });
  });
}

/** To look whether objects are to be tidied up takes a third of a commit's time: git does that with the documents' commits, and the person's. */
const untidied = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];

const refused = (detail: string): CommitOutcome => ({ status: "refused", detail });
