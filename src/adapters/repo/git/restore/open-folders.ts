// Folders that may not be written to, such as those in which tools keep modules: an agent can create any. They are made writable while files in
// them are restored, and get their old mode afterwards. What could be read before and cannot be read now is opened for good: what became
// of it could not be seen otherwise.

import type { Stats } from "node:fs";
import { access, chmod, constants, lstat } from "node:fs/promises";
import type { State } from "../../../../core/flow/repository.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, type DiskPath, foldersAbove, onDisk, toBytes } from "../process/paths.ts";
import { diffTrees } from "../tree/trees.ts";

export interface OpenFolders {
  /** Whether a path is in a folder that somebody else owns and nobody may write to. */
  readonly isDenied: (path: BytePath) => boolean;
  readonly close: () => Promise<void>;
}

/** Those that these files are in or will be. The root's own mode is the person's. */
export async function openFolders(root: string, paths: readonly BytePath[]): Promise<OpenFolders> {
  const opened: { readonly folder: DiskPath; readonly mode: number }[] = [];
  const denied = new Set<BytePath>();
  const folders = paths.flatMap((path) => [...foldersAbove(path)]);
  await eachReached(root, folders, async (path, seen) => {
    const folder = onDisk(root, path);
    if (!seen.isDirectory() || (await isAllowed(folder, constants.W_OK | constants.X_OK))) return;
    if (await isOpened(folder, seen.mode | 0o700)) opened.push({ folder, mode: seen.mode & 0o7777 });
    else denied.add(path);
  });
  return {
    isDenied: (path) => foldersAbove(path).some((folder) => denied.has(folder)),
    close: async () => {
      // One that became empty is gone.
      for (const { folder, mode } of opened.reverse()) await chmod(folder, mode).catch(() => undefined);
    },
  };
}

/** What a look at the tree found. */
interface Seen {
  readonly tree: string;
  readonly leftAlone: readonly BytePath[];
}

/**
 * Opens the folders and files that could be read in this state and cannot be read now, and looks again. Which mode they had is not known, so
 * they are opened for their owner alone, and stay open.
 */
export async function lookOpened<T extends Seen>(
  { root }: Checkout,
  since: State,
  look: () => Promise<T>,
): Promise<{ readonly found: T; readonly opened: readonly BytePath[] }> {
  const opened = new Set<BytePath>();
  const before = new Set(since.leftAlone.map(toBytes));
  for (;;) {
    const found = await look();
    const lost = (await diffTrees(root, since.tree, found.tree)).filter(({ change }) => change === "deleted");
    const unread = [...lost.map(({ path }) => path), ...found.leftAlone].filter((path) => !before.has(path));
    const fresh = new Set(await openAgain(root, unread)).difference(opened);
    if (fresh.size === 0) return { found, opened: [...opened] };
    for (const path of fresh) opened.add(path);
  }
}

/** Of these files and the folders above them, gives those that it opened. */
export async function openAgain(root: string, paths: readonly BytePath[]): Promise<readonly BytePath[]> {
  const opened: BytePath[] = [];
  await eachReached(root, [...paths, ...paths.flatMap((path) => [...foldersAbove(path)])], async (path, seen) => {
    const mode = seen.isDirectory() ? 0o700 : seen.isFile() ? 0o600 : 0;
    const needed = constants.R_OK | (seen.isDirectory() ? constants.X_OK : 0);
    const file = onDisk(root, path);
    if (mode === 0 || (await isAllowed(file, needed))) return;
    if (await isOpened(file, seen.mode | mode)) opened.push(path);
  });
  return opened;
}

/** The upper ones first: nothing can be seen in a folder that is closed. What lies behind a link is not in the tree. */
async function eachReached(
  root: string,
  paths: readonly BytePath[],
  meet: (path: BytePath, seen: Stats) => Promise<void>,
): Promise<void> {
  const noFolders = new Set<BytePath>();
  for (const path of [...new Set(paths)].sort()) {
    const isReached = !foldersAbove(path).some((above) => noFolders.has(above));
    const seen = isReached ? await lstat(onDisk(root, path)).catch(() => undefined) : undefined;
    if (!seen?.isDirectory()) noFolders.add(path);
    if (seen !== undefined) await meet(path, seen);
  }
}

const isAllowed = (file: DiskPath, needed: number): Promise<boolean> => succeeds(access(file, needed));
const isOpened = (file: DiskPath, mode: number): Promise<boolean> => succeeds(chmod(file, mode & 0o7777));

const succeeds = (done: Promise<void>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );
