// The texts of a working tree, by path relative to its root. A path never leads out of the tree, nor into git's own folder.

import { lstatSync, realpathSync } from "node:fs";
import { lstat, realpath, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Documents } from "../../ports/documents.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { writeAtomically } from "../files/atomic.ts";
import { makeFolder } from "../files/make-folder.ts";
import { ownFolder } from "../files/own-folder.ts";
import { codeOf, ifPresent, isMissing } from "../files/present.ts";
import { firstBytes } from "../files/small-file.ts";

export function documents(root: string): Documents {
  return {
    async read(path) {
      const file = await locate(root, path);
      try {
        return firstBytes(file, Number.POSITIVE_INFINITY).toString("utf8");
      } catch (cause) {
        if (isMissing(cause)) return null;
        const why = codeOf(cause) === "EINVAL" ? "it is a pipe or a device, and no file" : reasonOf(cause);
        const message = `${path} could not be read (${why}). Make it a readable file, then try again.`;
        throw new OutsideFailure("unreadable", message, { cause });
      }
    },
    async write(path, text) {
      const file = await locate(root, path);
      await makeFolder(dirname(file), "Make room for it, then try again.");
      await writeAtomically(file, text, await ownFolder(root));
    },
    async remove(path) {
      await rm(await locate(root, path), { force: true });
    },
  };
}

/** From the tree's root, with forward slashes. The person may be in a folder of it, or have come there by a link. */
export async function pathInTree(root: string, folder: string, said: string): Promise<string | undefined> {
  const full = resolve(await realpath(folder), said);
  const parent = (await ifPresent(realpath(dirname(full)))) ?? dirname(full);
  const path = relative(await realpath(root), join(parent, basename(full)));
  return isAbsolute(path) || path.split(sep)[0] === ".." ? undefined : path.replaceAll(sep, "/");
}

/** The real place of a path. Links are followed as far as the path exists, and must stay inside. */
async function locate(root: string, path: string): Promise<string> {
  const parts = path.split(/[\\/]/);
  const leavesTree = path === "" || path.includes("\0") || isAbsolute(path) || parts.includes("..");
  if (leavesTree || parts.some((part) => part.toLowerCase() === ".git")) throw outside(path, "is not a path inside it");
  const top = realpathSync.native(root);
  const place = isWithoutLinks(top, parts) ? join(top, path) : await realPlace(join(top, path), path);
  const steps = relative(top, place).split(sep);
  if (steps[0] === ".." || isAbsolute(relative(top, place)))
    throw outside(path, "is behind a link that leads out of it", mendLink);
  if (steps.some((step) => step.toLowerCase() === ".git"))
    throw outside(path, "is behind a link into git's own folder", mendLink);
  return place;
}

/** The usual case, in a few looks: then a path is its own real place. */
function isWithoutLinks(top: string, parts: readonly string[]): boolean {
  let place = top;
  try {
    for (const part of parts) {
      place = join(place, part);
      if (lstatSync(place).isSymbolicLink()) return false;
    }
    return true;
  } catch (error) {
    // What comes after the last folder that is there leads nowhere else. Of what cannot be looked at the longer way says why.
    return codeOf(error) === "ENOENT";
  }
}

async function realPlace(place: string, path: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (cause) {
    if (!isMissing(cause)) throw outside(path, `cannot be followed (${reasonOf(cause)})`);
  }
  // What is there and leads nowhere is a link.
  const seen = await lstat(place).catch((cause: unknown) => {
    if (!isMissing(cause)) throw cause;
  });
  if (seen?.isSymbolicLink()) throw outside(path, "is a link to nothing", mendLink);
  return join(await realPlace(dirname(place), path), relative(dirname(place), place));
}

const mendLink = "Put a file or folder of the tree in the place of the link, then try again.";

function outside(path: string, why: string, next = "Give a path relative to the tree's root."): OutsideFailure {
  const message = `"${path}" is refused: a document stays inside the working tree, and this ${why}. ${next}`;
  return new OutsideFailure("outside", message);
}
