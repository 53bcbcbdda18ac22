// The capture of a large working tree: git lists what differs from the index, and gits that stay write those files and the folders above
// them. Nothing is as large as the tree but that list's making: no copy of the index, and no list of all its entries. Whatever is odd
// is left to git itself.

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import { type GitSettings, settingsOf } from "../place/settings.ts";
import { type BytePath, onDisk } from "../process/paths.ts";
import { git } from "../process/run.ts";
import { editTree, type TreeEdit } from "../tree/edit-tree.ts";
import { diskNow, identity, settledIdentity, settledNs, statIfOpen, statOf } from "./file-identity.ts";
import { type LargeIndex, readLargeIndex } from "./large-index.ts";
import type { CapturedTree } from "./last-capture.ts";
import { isAttributes, storedForm } from "./rules.ts";
import { listUntracked } from "./untracked.ts";
import { isUsual, mostChanges, writeFile } from "./write-file.ts";

/** What the index was when it was read. */
interface KnownIndex {
  readonly identity: string;
  readonly isSettled: boolean;
  readonly hash: string;
  readonly entries: LargeIndex;
  readonly tree: string;
  /** Tracked, and not to be seen. */
  readonly hidden: readonly BytePath[];
  readonly attributes: readonly BytePath[];
}

export interface Surveyed {
  readonly index: KnownIndex;
  readonly files: ReadonlyMap<BytePath, WrittenFile>;
  readonly captured: CapturedTree;
}

interface WrittenFile {
  /** As file-identity.ts has it; undefined for one so young that it says nothing. */
  readonly identity: string | undefined;
  readonly entry: TreeEdit["entry"];
}

/** Undefined where git has to be asked in another way. `stagedTree` makes a tree of the index as it is. */
export async function survey(
  checkout: Checkout,
  last: Surveyed | undefined,
  stagedTree: () => Promise<string | undefined>,
): Promise<Surveyed | undefined> {
  const settings = await settingsOf(checkout);
  if (settings === undefined || storedForm(checkout, settings, []) === "other") return undefined;
  const hashBytes = settings.values.includes("extensions.objectformat\nsha256") ? 32 : 20;
  const reading = knowIndex(checkout, { last: last?.index, hashBytes, stagedTree });
  const [index, listed] = await Promise.all([reading, changedPaths(checkout, settings, reading)]);
  if (index === undefined) return undefined;
  const attributes = new Set([...index.attributes, ...listed.filter(isAttributes)]);
  const form = storedForm(checkout, settings, [...attributes]);
  if (identityOf(indexFile(checkout)) !== index.identity || form === "other") return undefined;
  const paths = listed.filter((path) => !checkout.isHidden(path));
  if (paths.length > mostChanges || paths.some((path) => !isUsual(path))) return undefined;
  const files = await writeAll(checkout, paths, last);
  if (files === undefined) return undefined;
  const edits = [...files].map(([path, { entry }]) => ({ path, entry }));
  const hidden = index.hidden.map((path) => ({ path, entry: null }));
  const tree = await editTree(checkout.root, index.tree, [...edits, ...hidden]);
  if (tree === undefined) return undefined;
  const unread = { entries: index.entries, read: new Set(paths) };
  const known = {
    index: index.tree,
    indexHash: index.hash,
    leftAlone: [],
    refused: [],
    flagged: [],
    isRaw: form === "raw",
  };
  const captured = { ...known, tree, unread };
  return { index, files, captured };
}

/** Whether the index is, for sure, the one that was surveyed. */
export const isIndexOf = (checkout: Checkout, { index }: Surveyed): boolean =>
  index.isSettled && identityOf(indexFile(checkout)) === index.identity;

/** What a file that was written is, if it is the same now; null where there is none. Undefined where that is not sure. */
export function fileOf(checkout: Checkout, { files }: Surveyed, path: BytePath): TreeEdit["entry"] | undefined {
  const [file, seen] = [files.get(path), statIfOpen(onDisk(checkout.root, path))];
  const isSame = seen !== "closed" && file?.identity === identity(seen);
  return isSame ? file?.entry : undefined;
}

const indexFile = ({ gitDir }: Checkout): string => join(gitDir, "index");
const identityOf = (file: string): string => identity(statOf(file));

interface IndexReading {
  readonly last: KnownIndex | undefined;
  readonly hashBytes: number;
  readonly stagedTree: () => Promise<string | undefined>;
}

/** Undefined when there is anything in it that only git can judge. */
async function knowIndex(
  checkout: Checkout,
  { last, hashBytes, stagedTree }: IndexReading,
): Promise<KnownIndex | undefined> {
  const seen = statOf(indexFile(checkout));
  const now = identity(seen);
  if (last?.isSettled && last.identity === now) return last;
  const bytes = await readFile(indexFile(checkout)).catch(() => Buffer.alloc(0));
  const common = { identity: now, isSettled: diskNow(checkout) > settledNs(seen), hash: hash("sha256", bytes) };
  if (last?.hash === common.hash) return { ...last, ...common };
  const entries = readLargeIndex(bytes, hashBytes, last?.entries);
  if (entries === undefined) return undefined;
  const { edits } = entries;
  const isNear = last !== undefined && edits !== undefined && edits.length <= mostChanges;
  const tree = (isNear ? await editTree(checkout.root, last.tree, edits) : undefined) ?? (await stagedTree());
  if (tree === undefined) return undefined;
  const pathsOf = (isSuch: (path: BytePath) => boolean, before: readonly BytePath[] = []): readonly BytePath[] => {
    if (edits === undefined) return entries.keys().filter(isSuch);
    const all = new Set([...before, ...edits.map(({ path }) => path).filter(isSuch)]);
    return [...all].filter((path) => entries.has(path));
  };
  const hidden = pathsOf(checkout.isHidden, last?.hidden);
  return { ...common, entries, tree, hidden, attributes: pathsOf(isAttributes, last?.attributes) };
}

/** Modified, deleted and untracked ones; a folder is a repository of its own. */
async function changedPaths(
  checkout: Checkout,
  settings: GitSettings,
  reading: Promise<KnownIndex | undefined>,
): Promise<readonly BytePath[]> {
  const list = async (...args: readonly string[]): Promise<readonly BytePath[]> =>
    (await git(checkout.root, args)).split("\0").filter((path) => path !== "");
  const entries = reading.then((index) => index?.entries);
  const [modified, untracked] = await Promise.all([
    list("diff-files", "-z", "--name-only"),
    listUntracked(checkout, settings, entries).then(
      (known) => known ?? list("ls-files", "-z", "-o", "--exclude-standard"),
    ),
  ]);
  return [...new Set([...modified, ...untracked])];
}

/** What was written is not written again. Undefined where git has to look at one of them. */
async function writeAll(
  checkout: Checkout,
  paths: readonly BytePath[],
  last: Surveyed | undefined,
): Promise<ReadonlyMap<BytePath, WrittenFile> | undefined> {
  const files = new Map<BytePath, WrittenFile>();
  const now = diskNow(checkout);
  for (const path of paths) {
    const seen = statIfOpen(onDisk(checkout.root, path));
    if (seen === "closed") return undefined;
    const is = settledIdentity(seen, now);
    const before = last?.files.get(path);
    const isSame = is !== undefined && before?.identity === is;
    const entry = isSame ? before.entry : seen === undefined ? null : await writeFile(checkout, path);
    if (entry === undefined) return undefined;
    files.set(path, { identity: is, entry });
  }
  return files;
}
