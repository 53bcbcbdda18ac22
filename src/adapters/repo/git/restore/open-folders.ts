// Folders that may not be written to, such as those in which tools keep modules: an agent can create any. They are made writable while files in
// them are restored, and get their old mode afterwards.

import { access, chmod, constants, lstat } from "node:fs/promises";
import { type BytePath, type DiskPath, foldersAbove, onDisk } from "../process/paths.ts";

export interface OpenFolders {
  /** Whether a path is in a folder that somebody else owns and nobody may write to. */
  readonly isDenied: (path: BytePath) => boolean;
  readonly close: () => Promise<void>;
}

/** Those that these files are in or will be. The root's own mode is the person's. */
export async function openFolders(root: string, paths: readonly BytePath[]): Promise<OpenFolders> {
  const opened: { readonly folder: DiskPath; readonly mode: number }[] = [];
  const denied = new Set<BytePath>();
  const noFolders = new Set<BytePath>();
  // The upper ones first: nothing can be seen in one that is closed.
  const all = [...new Set(paths.flatMap((path) => [...foldersAbove(path)]))].sort();
  for (const path of all) {
    const folder = onDisk(root, path);
    // What lies behind a link is not in the tree.
    const isReached = !foldersAbove(path).some((above) => noFolders.has(above));
    const seen = isReached ? await lstat(folder).catch(() => undefined) : undefined;
    if (!seen?.isDirectory()) noFolders.add(path);
    if (!seen?.isDirectory() || (await isWritable(folder))) continue;
    const isOpen = await chmod(folder, seen.mode | 0o700).then(
      () => true,
      () => false,
    );
    if (isOpen) opened.push({ folder, mode: seen.mode & 0o7777 });
    else denied.add(path);
  }
  return {
    isDenied: (path) => foldersAbove(path).some((folder) => denied.has(folder)),
    close: async () => {
      // One that became empty is gone.
      for (const { folder, mode } of opened.reverse()) await chmod(folder, mode).catch(() => undefined);
    },
  };
}

const isWritable = (folder: DiskPath): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
