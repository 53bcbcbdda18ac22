// superteam's own folder in a working tree: excluded from git, and there only while something is being done. Files that
// are to appear whole in the tree are written here first, so that a kill leaves nothing where the person looks.

import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, reasonOf, StoreFailure } from "./failure.ts";
import { ifPresent } from "./present.ts";

export const ownFolderName = ".superteam";

export async function ownFolder(root: string): Promise<string> {
  const folder = join(root, ownFolderName);
  try {
    await mkdir(folder, { recursive: true });
    return folder;
  } catch (cause) {
    const message = `The folder ${folder} could not be made (${reasonOf(cause)}). Make the tree writable, then try again.`;
    throw new StoreFailure("unwritable", folder, message, { cause });
  }
}

/** Removes what killed writers left, and the folder when nothing else is in it. For whoever holds the lock. */
export async function sweepOwnFolder(root: string): Promise<void> {
  const folder = join(root, ownFolderName);
  const names = (await ifPresent(readdir(folder))) ?? [];
  for (const name of names.filter((name) => name.endsWith(".tmp"))) await rm(join(folder, name), { force: true });
  try {
    await rmdir(folder);
  } catch (cause) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(codeOf(cause))) throw cause;
  }
}
