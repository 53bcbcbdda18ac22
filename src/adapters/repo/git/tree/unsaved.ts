// What is in no tree: files over 10 MB, those that may not be read, repositories in the repository. Nobody has a copy, so what an agent did to
// them can only be named (E3b). Inode, size, mode and times say whether one is as it was; of a folder, those of all files in it.

import { hash } from "node:crypto";
import { accessSync, constants, type Dirent, readdirSync } from "node:fs";
import type { Unsaved } from "../../../../core/flow/repository.ts";
import { identity, statIfOpen } from "../capture/file-identity.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, type DiskPath, onDisk, toText } from "../process/paths.ts";
import { openAgain } from "../restore/open-folders.ts";

/** By path, in bytes. Empty for what is not there. */
export type Identities = Readonly<Record<BytePath, string>>;

/** In a folder that may not be looked into. */
const hidden = "hidden";
/** What begins so may not be read. */
const closed = "closed ";

export function identitiesOf({ root }: Checkout, paths: readonly BytePath[]): Identities {
  return Object.fromEntries(paths.map((path) => [path, identityAt(root, path)]));
}

/** `before`: not there where nobody knows. What could be read then is opened first. */
export async function unsavedSince(
  checkout: Checkout,
  before: Identities = {},
): Promise<{ readonly unsaved: Unsaved | undefined; readonly opened: readonly string[] }> {
  const paths = Object.keys(before);
  const wereOpen = paths.filter((path) => before[path] !== hidden && !before[path]?.startsWith(closed));
  const opened = await openAgain(checkout.root, wereOpen);
  const now = identitiesOf(checkout, paths);
  const differing = paths.filter((path) => before[path] !== now[path]);
  const isGone = (path: BytePath): boolean => now[path] === "" || now[path] === hidden;
  const gone = differing.filter(isGone).map(toText);
  const changed = differing.filter((path) => !isGone(path)).map(toText);
  return { unsaved: differing.length === 0 ? undefined : { changed, gone }, opened: opened.map(toText) };
}

function identityAt(root: string, path: BytePath): string {
  const seen = statIfOpen(onDisk(root, path));
  if (seen === undefined) return "";
  if (seen === "closed") return hidden;
  if (!seen.isDirectory()) return `${isReadable(onDisk(root, path)) ? "" : closed}${identity(seen)}`;
  return `${seen.dev} ${seen.ino} ${hash("sha256", contentOf(root, path))}`;
}

/** More files than these are not looked at: the rest of a large repository may change unseen. */
const most = 10_000;

/** The upper folders first. git's own folder of a repository changes with every look at it. */
function contentOf(root: string, folder: BytePath): string {
  const seen: string[] = [];
  const folders = [folder];
  for (const above of folders) {
    for (const entry of namesIn(onDisk(root, above))) {
      const path = `${above}/${entry.name}`;
      if (seen.length === most) return seen.join("\0");
      if (entry.name === ".git") continue;
      if (entry.isDirectory()) folders.push(path);
      const file = entry.isDirectory() ? undefined : statIfOpen(onDisk(root, path));
      seen.push(path, file === "closed" ? hidden : identity(file));
    }
  }
  return seen.join("\0");
}

/** In the order of their names, whatever the disk's is. */
function namesIn(folder: DiskPath): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, encoding: "latin1" });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // It is gone meanwhile, or may not be read: its files are not there then.
    return [];
  }
}

function isReadable(file: DiskPath): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
