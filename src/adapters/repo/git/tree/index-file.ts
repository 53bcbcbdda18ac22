// The index as a file: copies to work on, and putting the person's own back byte for byte.
//
// A copy keeps the time of the original. git takes an entry for unchanged by size and time, unless the file is as young as
// the index itself: a copy that looks younger would hide a change made in the second of the last commit.

import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync, type Stats, statSync, utimesSync } from "node:fs";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "../../../files/present.ts";
import { readText } from "../place/checkout.ts";
import type { WorkingTree } from "../place/locate.ts";
import { git, lockAttempts, lockedBy, lockPauseMs, tryGit } from "../process/run.ts";

/** Lends a copy of the person's index for as long as `use` runs. */
export function withIndexCopy<T>(place: WorkingTree, use: (index: string) => Promise<T>): Promise<T> {
  return withIndex(place, async (index) => {
    copyIndex(join(place.gitDir, "index"), index);
    return await use(index);
  });
}

/** Lends an index that holds this tree. */
export function withIndexOf<T>(place: WorkingTree, tree: string, use: (index: string) => Promise<T>): Promise<T> {
  return withIndex(place, async (index) => {
    await git(place.root, ["read-tree", tree], { index });
    return await use(index);
  });
}

/** The person's index as it was. */
export interface SavedIndex {
  /** What it holds; undefined when that is no tree. */
  tree(): Promise<string | undefined>;
  /** Makes the person's what it was, to the byte. */
  restore(): Promise<void>;
}

export function withSavedIndex<T>(place: WorkingTree, use: (saved: SavedIndex) => Promise<T>): Promise<T> {
  return withIndexCopy(place, (file) =>
    use({ tree: () => treeIn(place, file), restore: () => restoreIndex(place, file) }),
  );
}

/** git would write into the index that it is asked about. */
async function treeIn(place: WorkingTree, file: string): Promise<string | undefined> {
  return await withIndex(place, async (index) => {
    copyIndex(file, index);
    const { code, out } = await tryGit(place.root, ["write-tree"], { index });
    return code === 0 ? out.trim() : undefined;
  });
}

/** The person's index as it is, in bytes. */
export function readIndex({ gitDir }: WorkingTree): string {
  return readText(join(gitDir, "index"));
}

/** Makes the person's index what was read. It looks old, so that git looks closer at each file. */
export async function writeIndex(place: WorkingTree, bytes: string): Promise<void> {
  await replaceIndex(place, Buffer.from(bytes, "latin1"), new Date(1000));
}

/** Keeps the time of the index while `use` changes it: that time says whether the person has staged something since (E3). */
export async function keepIndexTime<T>({ gitDir }: WorkingTree, use: () => Promise<T>): Promise<T> {
  const index = join(gitDir, "index");
  const before = seenAt(index);
  const done = await use();
  const after = seenAt(index);
  // An older time only has git look closer at each file.
  if (before !== undefined && after !== undefined && after.mtimeMs !== before.mtimeMs)
    utimesSync(index, before.atime, before.mtime);
  return done;
}

/** Removes copies, and folders with files on their way, that a killed process left behind. */
export async function sweepIndexCopies(place: WorkingTree): Promise<void> {
  const folder = folderOf(place);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => passing.test(each))) {
    const seen = await stat(join(folder, name)).catch(() => undefined);
    if (seen !== undefined && Date.now() - seen.ctimeMs > longestUseMs)
      await rm(join(folder, name), { force: true, recursive: true });
  }
}

const prefix = "index-";
const passing = /^(?:index|restore|rules)-/;
/** A commit may wait for a hook for hours, and needs its copy all that time. */
const longestUseMs = 7 * 24 * 60 * 60 * 1000;

const folderOf = (place: WorkingTree): string => join(place.gitDir, "superteam");

async function withIndex<T>(place: WorkingTree, use: (index: string) => Promise<T>): Promise<T> {
  mkdirSync(folderOf(place), { recursive: true });
  const index = join(folderOf(place), `${prefix}${randomUUID()}`);
  try {
    return await use(index);
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}

/**
 * The time is read first: when the index is replaced meanwhile, the copy looks too old, and git only looks closer. In one go: threads
 * that do it take longer to wake, step by step, than the copying takes.
 */
function copyIndex(from: string, to: string): void {
  const seen = seenAt(from);
  if (seen === undefined) return;
  // A pipe would be waited for, and nothing else could happen meanwhile.
  if (!seen.isFile()) throw new Error(`${from} is not a file`);
  const time = Math.floor(seen.mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, time, time);
}

/** undefined where nothing can be seen. */
function seenAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

async function restoreIndex(place: WorkingTree, saved: string): Promise<void> {
  const index = join(place.gitDir, "index");
  const bytes = await readFile(saved).catch(() => undefined);
  if (bytes === undefined) return await rm(index, { force: true });
  await replaceIndex(place, bytes, (await stat(saved)).mtime);
}

/** Follows git's own protocol: the process that creates index.lock may replace the index. */
async function replaceIndex(place: WorkingTree, bytes: Buffer, mtime: Date): Promise<void> {
  const index = join(place.gitDir, "index");
  const now = await readFile(index).catch(() => undefined);
  if (now?.equals(bytes)) return;
  const lock = `${index}.lock`;
  const file = await openExclusively(lock);
  try {
    await file.writeFile(bytes);
    await file.utimes(mtime, mtime);
  } finally {
    await file.close();
  }
  await rename(lock, index);
}

async function openExclusively(path: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(path, "wx");
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (attempt === lockAttempts)
        throw new Error(`The index could not be restored. ${lockedBy(path)}`, { cause: error });
      await pause(lockPauseMs);
    }
  }
}
