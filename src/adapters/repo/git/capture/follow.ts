// The next capture of a small working tree from the last one, without starting a git: which files changed, its folders say (view.ts),
// and gits that stay write those files and the folders above them. Whatever is odd is left to git itself.

import { hash } from "node:crypto";
import type { Checkout } from "../place/checkout.ts";
import type { BytePath } from "../process/paths.ts";
import { editTree, type TreeEdit } from "../tree/edit-tree.ts";
import { editsBetween, type IndexEntries, readIndexEntries } from "./index-entries.ts";
import type { CapturedTree } from "./last-capture.ts";
import { ignoredAmong } from "./rules.ts";
import { seesAll, type TreeView } from "./view.ts";
import { isRules, isUsual, mostChanges, writeFile } from "./write-file.ts";

/** A capture, and the view in which it was made. */
export interface ViewedCapture {
  readonly view: TreeView;
  readonly captured: CapturedTree;
}

/** Undefined where git has to be asked. */
export async function follow(
  checkout: Checkout,
  last: ViewedCapture,
  view: TreeView,
): Promise<CapturedTree | undefined> {
  if (view.form === "other" || view.rules !== last.view.rules) return undefined;
  const [before, now] = [entriesOf(last), entriesOf({ view, captured: last.captured })];
  if (before === undefined || now === undefined || last.captured.index === undefined) return undefined;
  if (now !== before && !(seesAll(view, now.keys()) && hasRules(view, now))) return undefined;
  const { unread } = last.captured;
  const changed = changedPaths(checkout, last, { view, before, now });
  if (
    changed.size > mostChanges ||
    [...changed].some((path) => !isUsual(path) || last.captured.leftAlone.includes(path))
  )
    return undefined;
  const edits = await editsFor(checkout, [...changed], { view, now });
  const staged = editsBetween(before, now);
  if (edits === undefined || staged.length > mostChanges) return undefined;
  const tree = await editTree(checkout.root, last.captured.tree, edits);
  const index = await editTree(checkout.root, last.captured.index, staged);
  if (tree === undefined || index === undefined) return undefined;
  const read = unread.read.union(changed);
  const indexHash = hash("sha256", view.index);
  return { ...last.captured, tree, index, unread: { ...unread, read }, indexHash, isRaw: view.form === "raw" };
}

const known = new WeakMap<Buffer, IndexEntries>();

function entriesOf({ view, captured }: ViewedCapture): IndexEntries | undefined {
  const entries = known.get(view.index) ?? readIndexEntries(view.index, captured.tree.length / 2);
  if (entries !== undefined) known.set(view.index, entries);
  return entries;
}

/** git reads rules that are gone from the disk in the index. */
function hasRules(view: TreeView, entries: IndexEntries): boolean {
  return [...entries.keys()].every((path) => !isRules(path) || view.files.has(path));
}

interface Now {
  readonly view: TreeView;
  readonly before: IndexEntries;
  readonly now: IndexEntries;
}

/** What may be another file or no file, may be tracked now or not any more, or was not read because the index knew it. */
function changedPaths(checkout: Checkout, last: ViewedCapture, { view, before, now }: Now): Set<BytePath> {
  const changed = new Set<BytePath>();
  for (const [path, identity] of view.files) if (last.view.files.get(path) !== identity) changed.add(path);
  for (const path of last.view.files.keys()) if (!view.files.has(path)) changed.add(path);
  if (now === before) return changed;
  const { entries, read } = last.captured.unread;
  for (const { path, entry } of editsBetween(before, now)) {
    const isOther = entry === null || !before.has(path) || (entries.has(path) && !read.has(path));
    if (isOther && !checkout.isHidden(path)) changed.add(path);
  }
  return changed;
}

/** Undefined where git has to look at one of them. */
async function editsFor(
  checkout: Checkout,
  paths: readonly BytePath[],
  { view, now }: Pick<Now, "view" | "now">,
): Promise<readonly TreeEdit[] | undefined> {
  const edits: TreeEdit[] = [];
  for (const path of paths) {
    const isIn = view.files.has(path) && (now.has(path) || (await isSeen(checkout, view, path)));
    const entry = isIn ? await writeFile(checkout, path) : isIn === undefined ? undefined : null;
    if (entry === undefined) return undefined;
    edits.push({ path, entry });
  }
  return edits;
}

/** Whether git does not ignore it; undefined when git does not say. */
async function isSeen(checkout: Checkout, { rules }: TreeView, path: BytePath): Promise<boolean | undefined> {
  const ignored = await ignoredAmong(checkout, rules, [path]);
  return ignored && !ignored.has(path);
}
