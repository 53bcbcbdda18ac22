// Stores a file of the tree as git would, by a git that stays. What git may store in another form, or not at all, is left to it.

import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { firstBytes } from "../../../files/small-file.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, foldersAbove, onDisk, toBytes, toText } from "../process/paths.ts";
import { askStanding } from "../process/standing.ts";
import type { TreeEdit } from "../tree/edit-tree.ts";

/** Beyond this many a new git is faster than one file after another. */
export const mostChanges = 64;
const largest = 1024 * 1024;

/** Names that every git takes, and none that decide what git makes of others. */
export function isUsual(path: BytePath): boolean {
  return /^[\w +,./=@()[\]-]+$/.test(path) && !/[ .](?:\/|$)|\/$/.test(path) && !isRules(path);
}

export const isRules = (path: BytePath): boolean => /(?:^|\/)\.git(?:ignore|attributes|modules)?$/i.test(path);

/** Undefined for what is not a plain file, is large, or has ends of lines that git may change. */
export async function writeFile({ root }: Checkout, path: BytePath): Promise<TreeEdit["entry"] | undefined> {
  const seen = lstatSync(onDisk(root, path), { throwIfNoEntry: false });
  if (seen === undefined || !seen.isFile() || seen.size > largest || root.includes("\n")) return undefined;
  // What lies behind a link is not in the tree.
  for (const folder of foldersAbove(path)) if (lstatSync(onDisk(root, folder)).isSymbolicLink()) return undefined;
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
