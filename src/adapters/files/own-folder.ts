// Where files that are to appear whole in a working tree are written first: in the tree's own git folder, so that neither a
// kill nor a program that walks the tree ever meets a half-written file.

import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { findGitFolders } from "./git-folders.ts";
import { makeFolder } from "./make-folder.ts";
import { codeOf, ifPresent, isMissing } from "./present.ts";

export async function ownFolder(root: string): Promise<string> {
  const folder = await placeOf(root);
  await makeFolder(folder, "Make the tree writable, then try again.");
  return folder;
}

/** Removes what killed writers left, and the folder if it is empty then. Call it only with the lock. */
export async function sweepOwnFolder(root: string): Promise<void> {
  await sweepTemporary(await placeOf(root));
}

export async function sweepTemporary(folder: string): Promise<void> {
  const names = await readdir(folder).catch((cause) => (isMissing(cause) ? [] : Promise.reject(cause)));
  for (const name of names.filter((name) => name.endsWith(".tmp"))) await rm(join(folder, name), { force: true });
  try {
    await rmdir(folder);
  } catch (cause) {
    if (!["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"].includes(codeOf(cause))) throw cause;
  }
}

/** A tree without git, or with git's folder on another file system, has a folder of ours in it instead: no tree shows it. */
async function placeOf(root: string): Promise<string> {
  const found = await findGitFolders(root);
  const isNear = found !== undefined && (await deviceOf(found.gitDir)) === (await deviceOf(root));
  return isNear ? join(found.gitDir, "superteam", "tmp") : join(root, ".superteam");
}

async function deviceOf(folder: string): Promise<number | undefined> {
  return (await ifPresent(stat(folder)))?.dev;
}
