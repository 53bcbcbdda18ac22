// The next capture of a small working tree from the last one, without starting a git: which files changed, its folders say (view.ts),
// and gits that stay write those files and the folders above them. Whatever is odd is left to git itself.

import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { firstBytes } from "../../../files/small-file.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk, toBytes, toText } from "../process/paths.ts";
import { askStanding } from "../process/standing.ts";
import { editTree, type TreeEdit } from "../tree/edit-tree.ts";
import { type IndexEntries, readIndexEntries } from "./index-entries.ts";
import type { CapturedTree } from "./last-capture.ts";
import { seesAll, type TreeView } from "./view.ts";

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
  if (!view.isPlain || view.rules !== last.view.rules) return undefined;
  const [before, now] = [entriesOf(last), entriesOf({ view, captured: last.captured })];
  if (before === undefined || now === undefined || last.captured.index === undefined) return undefined;
  if (now !== before && !(seesAll(view, now.keys()) && hasRules(view, now))) return undefined;
  const { unread } = last.captured;
  const changed = changedPaths(checkout, last, { view, before, now });
  if (changed.size > most || [...changed].some((path) => !isUsual(path, last.captured))) return undefined;
  const edits = await editsFor(checkout, [...changed], { view, now });
  const staged = editsBetween(before, now);
  if (edits === undefined || staged.length > most) return undefined;
  const tree = await editTree(checkout.root, last.captured.tree, edits);
  const index = await editTree(checkout.root, last.captured.index, staged);
  if (tree === undefined || index === undefined) return undefined;
  return { ...last.captured, tree, index, unread: unread.filter((entry) => !changed.has(pathOf(entry))) };
}

/** Beyond this many a new git is faster than one file after another. */
const most = 64;

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

const isRules = (path: BytePath): boolean => /(?:^|\/)\.git(?:ignore|attributes|modules)?$/i.test(path);

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
  const unread = new Set(last.captured.unread.map(pathOf));
  for (const { path, entry } of editsBetween(before, now)) {
    const isOther = entry === null || !before.has(path) || unread.has(path);
    if (isOther && !checkout.isHidden(path)) changed.add(path);
  }
  return changed;
}

function editsBetween(before: IndexEntries, now: IndexEntries): readonly TreeEdit[] {
  if (before === now) return [];
  const edits: TreeEdit[] = [];
  for (const [path, entry] of now) {
    const was = before.get(path);
    if (was?.hash !== entry.hash || was.mode !== entry.mode) edits.push({ path, entry });
  }
  for (const path of before.keys()) if (!now.has(path)) edits.push({ path, entry: null });
  return edits;
}

const pathOf = (entry: string): string => entry.slice(entry.indexOf("\t") + 1);

/** Names that every git takes, and none that decide what git makes of others. */
function isUsual(path: BytePath, { leftAlone }: CapturedTree): boolean {
  const isPlainName = /^[\w +,./=@()[\]-]+$/.test(path) && !/[ .](?:\/|$)/.test(path);
  return isPlainName && !isRules(path) && !leftAlone.includes(path);
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
async function isSeen({ root }: Checkout, { rules }: TreeView, path: BytePath): Promise<boolean | undefined> {
  // A git that stays reads the rules once. Where they are other ones, so is the git.
  const place = [`--work-tree=${root}`, "-c", `superteam.rules=${rules}`];
  const args = [...place, "check-ignore", "--no-index", "--verbose", "--non-matching", "--stdin", "-z"];
  const answer = await askStanding(root, { args, input: `${path}\0`, end: `\0${path}\0` });
  const [, , pattern = ""] = answer?.split("\0") ?? [];
  return answer === undefined ? undefined : pattern === "" || pattern.startsWith("!");
}

const largest = 1024 * 1024;

/** Undefined for what is not a plain file, is large, or is stored in another form. */
async function writeFile({ root }: Checkout, path: BytePath): Promise<TreeEdit["entry"] | undefined> {
  const seen = lstatSync(onDisk(root, path), { throwIfNoEntry: false });
  if (seen === undefined || !seen.isFile() || seen.size > largest || root.includes("\n")) return undefined;
  const bytes = read(`${root}/${toText(path)}`);
  if (bytes === undefined || bytes.includes("\r")) return undefined;
  const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
  const hash = await askStanding(root, { args, input: `${toBytes(root)}/${path}\n`, end: "\n" });
  if (hash === undefined || hash !== hashOf(bytes, hash.length)) return undefined;
  return { mode: (seen.mode & 0o100) === 0 ? "100644" : "100755", hash };
}

function read(file: string): Buffer | undefined {
  try {
    return firstBytes(file, largest + 1);
  } catch {
    // git says what is wrong with it.
    return undefined;
  }
}

function hashOf(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
