// Puts a new file in the place of one that a backup has, and of no other (E3). The old file is moved aside and looked at once more, and the new
// one only comes where nothing is: whatever a person writes at that moment is there afterwards. Without a pause, so that the moment is short.

import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { temporaryFiles } from "../../../files/atomic.ts";
import { codeOf } from "../../../files/present.ts";
import { identity, lastingIdentity, statOf } from "../capture/file-identity.ts";
import { type BytePath, type DiskPath, foldersAbove, onDisk } from "../process/paths.ts";
import { fileAt } from "./see-files.ts";

/**
 * `blocked`: it cannot be moved, or nothing can be written there. `changed`: it is not the file that was seen. `aside`: nor is the one that
 * took its place meanwhile; the first is there now.
 */
export type Replaced = Put | { readonly aside: DiskPath };
type Put = "done" | "blocked" | "changed";

/** `from`: the new file, on the same disk if possible. Without it there shall be none. `seen`: the identity of the old one. */
export function replaceFile(
  root: string,
  path: BytePath,
  { from, seen }: { readonly from: DiskPath | undefined; readonly seen: string | undefined },
): Replaced {
  const there = fileAt(root, path);
  if (there === "closed") return "blocked";
  const put = (): Put => (from === undefined ? "done" : putNew(root, path, from));
  if (there === undefined) return put();
  if (identity(there) !== seen) return "changed";
  const [file, aside] = [onDisk(root, path), beside(root, path)];
  try {
    renameSync(file, aside);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "changed" : "blocked";
  }
  if (!isStill(aside, there)) return moveWhereNothingIs(aside, file) === "done" ? "changed" : { aside };
  const done = put();
  const isBack = done !== "done" && moveWhereNothingIs(aside, file) === "done";
  // Where something else came meanwhile, the backup has it.
  if (!isBack) unlinkSync(aside);
  return done;
}

/** In the same folder, where a file can always be moved to. No tree shows it. */
function beside(root: string, path: BytePath): DiskPath {
  const name = temporaryFiles.replace("*", randomBytes(8).toString("hex"));
  return onDisk(root, path.slice(0, path.lastIndexOf("/") + 1) + name);
}

function isStill(file: DiskPath, before: BigIntStats): boolean {
  const now = statOf(file);
  return now !== undefined && lastingIdentity(now) === lastingIdentity(before);
}

function putNew(root: string, path: BytePath, from: DiskPath): Put {
  const [file, folder] = [onDisk(root, path), foldersAbove(path).next().value];
  try {
    if (folder !== undefined) mkdirSync(onDisk(root, folder), { recursive: true });
    const put = moveWhereNothingIs(from, file);
    return put === "other disk" ? copyWhereNothingIs(from, file, beside(root, path)) : put;
  } catch {
    // No folder can be made there, or nothing written.
    return "blocked";
  }
}

/** A second name for it fails where something is; not every disk has them, nor every system for a link. */
function moveWhereNothingIs(from: DiskPath, file: DiskPath): Put | "other disk" {
  try {
    if (!statOf(from)?.isFile()) return renameWhereNothingIs(from, file);
    linkSync(from, file);
  } catch (error) {
    return codeOf(error) === "EEXIST" ? "changed" : renameWhereNothingIs(from, file);
  }
  unlinkSync(from);
  return "done";
}

function renameWhereNothingIs(from: DiskPath, file: DiskPath): Put | "other disk" {
  try {
    if (statOf(file) !== undefined) return "changed";
    renameSync(from, file);
    return "done";
  } catch (error) {
    return codeOf(error) === "EXDEV" ? "other disk" : "blocked";
  }
}

/** `copy`: a name for it on the disk of the file. */
function copyWhereNothingIs(from: DiskPath, file: DiskPath, copy: DiskPath): Put {
  if (statOf(from)?.isSymbolicLink()) symlinkSync(readlinkSync(from, "buffer"), copy);
  else copyFileSync(from, copy, constants.COPYFILE_EXCL);
  const put = moveWhereNothingIs(copy, file);
  if (put === "done") return put;
  unlinkSync(copy);
  return put === "changed" ? put : "blocked";
}
