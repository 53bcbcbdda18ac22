// Turns the working tree into a git tree (E3, T6): tracked and untracked files, without ignored and hidden ones (S1). It works
// on a copy of the index, so the person's own is not touched, and reads only files that git does not know already.

import { hash } from "node:crypto";
import { access, constants, lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../files/present.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, foldersAbove, onDisk } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";
import { editTree } from "../tree/edit-tree.ts";
import { withIndexCopy } from "../tree/index-file.ts";
import { type Difference, missingAmong } from "../tree/trees.ts";
import { addEntries, removeEntries } from "./add-entries.ts";
import { madeAt } from "./file-identity.ts";
import { follow, type ViewedCapture } from "./follow.ts";
import type { IndexEntry } from "./index-entries.ts";
import { type CapturedTree, isSame, type Sight, sightOf } from "./last-capture.ts";
import { changedInside, scanTree } from "./scan.ts";
import { fileOf, isIndexOf, type Surveyed, survey } from "./survey.ts";
import { isSettled, seesAll, type TreeView, viewOf } from "./view.ts";

/** `also`: paths to look at even though git ignores them. */
export async function capture(checkout: Checkout, also: readonly BytePath[] = []): Promise<CapturedTree> {
  if (also.length > 0) return withIndexCopy(checkout, (index) => captureBy(checkout, index, { also, view: undefined }));
  const view = await viewOf(checkout);
  const next = view === "too large" ? await surveyed(checkout) : view && (await followed(checkout, view));
  if (next === undefined)
    return withIndexCopy(checkout, (index) =>
      captureBy(checkout, index, { also, view: view === "too large" ? undefined : view }),
    );
  lastCaptures.set(checkout, next);
  return next.captured;
}

async function followed(checkout: Checkout, view: TreeView): Promise<LastCapture | undefined> {
  const last = lastCaptures.get(checkout);
  if (last?.viewed === undefined) return undefined;
  if (last.viewed.view.content === view.content) return last;
  const captured = isSettled(checkout, view) ? await follow(checkout, last.viewed, view) : undefined;
  return captured && { captured, viewed: { view, captured } };
}

async function surveyed(checkout: Checkout): Promise<LastCapture | undefined> {
  const stagedNow = () => withIndexCopy(checkout, (index) => stagedTree(checkout, index));
  const next = await survey(checkout, lastCaptures.get(checkout)?.surveyed, stagedNow);
  return next && { captured: next.captured, surveyed: next };
}

/** To be called when what was seen may not be what git sees. */
export function forgetCapture(checkout: Checkout): void {
  lastCaptures.delete(checkout);
}

async function captureBy(
  checkout: Checkout,
  index: string,
  { also, view }: { readonly also: readonly BytePath[]; readonly view: TreeView | undefined },
): Promise<CapturedTree> {
  const last = lastCaptures.get(checkout);
  const indexHash = hashOf(await bytesOf(index));
  const scan = await scanTree(checkout, index, indexHash);
  const paths = [...new Set([...scan.changed, ...also])];
  const sight = await sightOf(checkout, index, { ...scan, paths });
  const isUsable =
    view !== undefined && madeAt(index) > view.settledNs && !scan.hasSubmodules && seesAll(view, scan.tracked);
  const keep = (captured: CapturedTree, now: Sight): CapturedTree => {
    const viewed = isUsable ? { viewed: { view, captured } } : {};
    lastCaptures.set(checkout, { sight: now, captured, ...viewed });
    return captured;
  };
  if (last?.sight !== undefined && !scan.hasSubmodules && isSame(last.sight, sight))
    return keep({ ...last.captured, indexHash }, last.sight);
  const staged = last?.sight?.entries === sight.entries ? last.captured.index : await stagedTree(checkout, index);
  const lost = staged === undefined ? await dropLost(checkout, index) : [];
  const sorted = await sort(checkout, [...new Set([...paths, ...lost])]);
  const added = await addEntries(checkout.root, index, sorted.present);
  const passedOver = added.isComplete
    ? []
    : await stillChanged(
        checkout,
        index,
        sorted.present.filter((path) => !added.refused.includes(path)),
      );
  const whole = sorted.present.length === 0 ? staged : await stagedTree(checkout, index);
  const tree = await without(checkout, index, whole, [...scan.hidden, ...sorted.gone]);
  const inside = await changedInside(checkout, scan);
  const leftAlone = [...new Set([...scan.nested, ...inside, ...sorted.leftAlone, ...passedOver])];
  const { flagged, unread } = scan;
  const isRaw = view?.form === "raw";
  const captured = { tree, index: staged, leftAlone: leftAlone.sort(), refused: added.refused, flagged, unread };
  return keep({ ...captured, indexHash, isRaw }, sight);
}

interface LastCapture {
  readonly captured: CapturedTree;
  /** When git was asked. */
  readonly sight?: Sight;
  /** Only where nothing can change unseen. */
  readonly viewed?: ViewedCapture;
  /** Of a large tree. */
  readonly surveyed?: Surveyed;
}

const lastCaptures = new WeakMap<Checkout, LastCapture>();

/** What is staged, as a tree; undefined when it has conflicts. The files are not looked at. */
export async function stagedNow(checkout: Checkout): Promise<string | undefined> {
  const last = lastCaptures.get(checkout);
  if (last?.surveyed !== undefined && isIndexOf(checkout, last.surveyed)) return last.captured.index;
  const index = await bytesOf(join(checkout.gitDir, "index"));
  if (last?.captured.indexHash === hashOf(index)) return last.captured.index;
  return withIndexCopy(checkout, (index) => stagedTree(checkout, index));
}

/** Of these differences of a large tree, those that are not for sure what the index has already. */
export function notStaged(checkout: Checkout, differences: readonly Difference[]): readonly Difference[] {
  const surveyed = lastCaptures.get(checkout)?.surveyed;
  if (surveyed === undefined || !isIndexOf(checkout, surveyed)) return differences;
  return differences.filter((each) => !leadsTo(each, surveyed.index.entries.get(each.path) ?? null));
}

/** Whether the files of a large tree are for sure what these differences lead to. */
export function areOnDisk(checkout: Checkout, differences: readonly Difference[]): boolean {
  const surveyed = lastCaptures.get(checkout)?.surveyed;
  if (surveyed === undefined) return false;
  return differences.every((each) => leadsTo(each, fileOf(checkout, surveyed, each.path)));
}

/** null is no file, or no entry; undefined nothing that is known. */
const leadsTo = ({ change, newMode, newHash }: Difference, entry: IndexEntry | null | undefined): boolean =>
  entry ? entry.mode === newMode && entry.hash === newHash : entry === null && change === "deleted";

const bytesOf = (index: string): Promise<Buffer> => readFile(index).catch(() => Buffer.alloc(0));
const hashOf = (index: Buffer): string => hash("sha256", index);

/** Undefined when it has conflicts. */
async function stagedTree({ root }: Checkout, index: string): Promise<string | undefined> {
  const { code, out } = await tryGit(root, ["write-tree"], { index });
  return code === 0 ? out.trim() : undefined;
}

/** Takes out of an index what leads to nothing, because its object was removed. Its file, if there is one, can be stored again. */
async function dropLost({ root }: Checkout, index: string): Promise<readonly BytePath[]> {
  const lines = (await git(root, ["ls-files", "-z", "-s"], { index })).split("\0");
  const entries = lines.flatMap((line) => {
    const [, hash = "", path] = /^1[02]0\d{3} (\S+) \d\t(.+)$/s.exec(line) ?? [];
    return path === undefined ? [] : [{ hash, path }];
  });
  const missing = await missingAmong(root, [...new Set(entries.map(({ hash }) => hash))]);
  const lost = [...new Set(entries.filter(({ hash }) => missing.has(hash)).map(({ path }) => path))];
  await removeEntries(root, index, lost);
  return lost;
}

/** The tree of this index without these paths; `whole` is that with them, which a conflict may keep from being one. */
async function without(
  { root }: Checkout,
  index: string,
  whole: string | undefined,
  paths: readonly BytePath[],
): Promise<string> {
  const edits = paths.map((path) => ({ path, entry: null }));
  const edited = whole === undefined ? undefined : await editTree(root, whole, edits);
  if (edited !== undefined) return edited;
  await removeEntries(root, index, paths);
  return (await git(root, ["write-tree"], { index })).trim();
}

/** git passes over names that another system could take for `.git`, with a word and without an error. */
async function stillChanged(
  checkout: Checkout,
  index: string,
  paths: readonly BytePath[],
): Promise<readonly BytePath[]> {
  const changed = new Set((await scanTree(checkout, index)).changed);
  return paths.filter((path) => changed.has(path));
}

interface Sorted {
  readonly present: readonly BytePath[];
  readonly gone: readonly BytePath[];
  readonly leftAlone: readonly BytePath[];
}

const largest = 10 * 1024 * 1024;
const batch = 500;

/** What each path is on disk now. */
async function sort({ root }: Checkout, paths: readonly BytePath[]): Promise<Sorted> {
  const links = new Map<BytePath, Promise<boolean>>();
  const isLinked = (folder: BytePath): Promise<boolean> => {
    const answer = links.get(folder) ?? isLink(root, folder);
    links.set(folder, answer);
    return answer;
  };
  const sorted = { present: [] as BytePath[], gone: [] as BytePath[], leftAlone: [] as BytePath[] };
  for (let start = 0; start < paths.length; start += batch) {
    const some = paths.slice(start, start + batch);
    const fates = await Promise.all(some.map(async (path) => await fateOf(root, path, isLinked)));
    some.forEach((path, place) => {
      sorted[fates[place] ?? "gone"].push(path);
    });
  }
  return sorted;
}

async function fateOf(
  root: string,
  path: BytePath,
  isLinked: (folder: BytePath) => Promise<boolean>,
): Promise<keyof Sorted> {
  for (const folder of foldersAbove(path)) if (await isLinked(folder)) return "gone";
  const file = onDisk(root, path);
  const seen = await lstat(file).catch(codeOf);
  // In a folder that nobody may look into nothing is known to be gone.
  if (seen === "EACCES") return "leftAlone";
  if (typeof seen !== "object") return "gone";
  if (seen.isSymbolicLink()) return "present";
  if (!seen.isFile()) return "gone";
  if (seen.size > largest) return "leftAlone";
  return await access(file, constants.R_OK).then(
    () => "present" as const,
    () => "leftAlone" as const,
  );
}

/** What was tracked in a folder that is a symbolic link now is gone, whatever lies behind the link. */
async function isLink(root: string, folder: BytePath): Promise<boolean> {
  const seen = await lstat(onDisk(root, folder)).catch(() => undefined);
  return seen?.isSymbolicLink() === true;
}
