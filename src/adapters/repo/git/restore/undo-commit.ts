// Undoes what a refused commit did to HEAD, index and files.
//
// The person may have worked while a hook ran, and their changes cannot be told apart from the hook's (S1). So the tree is saved
// under a ref first; then the files that the commit is about, and files that are gone, are restored. Every other change stays,
// and is named. With what is staged it is the same.

import type { CommitOrder } from "../../../../ports/repo.ts";
import { capture } from "../capture/capture.ts";
import type { CapturedTree } from "../capture/last-capture.ts";
import { savedName } from "../commit/find-commit.ts";
import { type Checkout, moveHead, readHead } from "../place/checkout.ts";
import { type BytePath, someOf, within } from "../process/paths.ts";
import { stillThere } from "../tree/compare.ts";
import type { SavedIndex } from "../tree/index-file.ts";
import { saveState } from "../tree/saved.ts";
import { applyDifferences, type Difference, diffTrees } from "../tree/trees.ts";
import { checkOutPaths } from "./checkout-paths.ts";
import { type SeenFiles, seeFiles } from "./see-files.ts";
import { undoIndex } from "./undo-index.ts";

/** A commit that is about to be made. */
export interface PendingCommit {
  readonly order: CommitOrder;
  readonly parent: string;
  /** Where HEAD is: on the parent, or on commits that the agent made on top of it. */
  readonly tip: string;
  /** The tree that the commit shall have. */
  readonly wanted: string;
  /** The working tree, as the checks and the reviewers saw it. */
  readonly judged: string;
}

/** Gives sentences that say how HEAD, index and files are now. */
export async function undoCommit(checkout: Checkout, work: PendingCommit, saved: SavedIndex): Promise<string> {
  const isBack = await undoHead(checkout, work);
  const own = await diffTrees(checkout.root, work.parent, work.wanted);
  const name = `${savedName(work.order.request)}-staged`;
  const index = await undoIndex(checkout, saved, { own: own.map(({ path }) => path), tip: work.tip, name });
  const files = await undoFiles(checkout, work, own);
  const changed = [index, files].filter(Boolean).join(" ");
  if (!isBack) {
    return `HEAD was moved in the meantime, so it was left there; before that it was on ${work.tip.slice(0, 10)}. ${changed}`;
  }
  if (changed === "") return "HEAD, index and files are as they were before.";
  return `${index === "" ? "HEAD and index are" : "HEAD is"} as before. ${changed}`;
}

async function undoHead(checkout: Checkout, { order, parent, tip }: PendingCommit): Promise<boolean> {
  const head = await readHead(checkout);
  if (head.sha === tip) return true;
  const isOurs = head.sha === parent && head.branch === order.since.branch;
  if (isOurs) await moveHead(checkout.root, tip, parent);
  return isOurs;
}

async function undoFiles(checkout: Checkout, work: PendingCommit, own: readonly Difference[]): Promise<string> {
  const isOfDocuments = work.order.documents !== undefined;
  // Trees do not show the documents: here they count.
  const before = isOfDocuments ? await applyDifferences(checkout, work.judged, own) : work.judged;
  const ownPaths = own.map(({ path }) => path);
  const found = await seeFiles(checkout, () => seeAll(checkout, before, isOfDocuments ? ownPaths : []));
  const { differences, identities } = found;
  if (differences.length === 0) return "";

  const backupRef = await saveState(checkout, `${savedName(work.order.request)}-refused`, { tree: found.tree });
  const isOwn = within(ownPaths);
  const isUnread = within(found.leftAlone);
  const chosen = differences.filter(({ path, change }) => !isUnread(path) && (change === "deleted" || isOwn(path)));
  const { restored } = await checkOutPaths(checkout, { tree: before }, { differences: chosen, identities });
  const left = differences.map(({ path }) => path).filter((path) => !restored.includes(path));
  return inWords(backupRef, restored, left);
}

/** A file that only looks gone because it is ignored by now is included: it must be saved. */
async function seeAll(
  checkout: Checkout,
  before: string,
  also: readonly BytePath[],
): Promise<CapturedTree & Pick<SeenFiles, "differences">> {
  const first = await capture(checkout, also);
  const differences = await diffTrees(checkout.root, before, first.tree);
  const hiding = await stillThere(checkout.root, differences);
  if (hiding.length === 0) return { ...first, differences };
  const all = await capture(checkout, [...also, ...hiding]);
  return { ...all, differences: await diffTrees(checkout.root, before, all.tree) };
}

function inWords(backupRef: string, restored: readonly BytePath[], left: readonly BytePath[]): string {
  return [
    `Files were changed while git commit ran, by a hook or by you; the tree as it was then is kept at ${backupRef}.`,
    restored.length === 0 ? "" : `Restored: ${someOf(restored)}.`,
    left.length === 0 ? "" : `Left as they are: ${someOf(left)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
