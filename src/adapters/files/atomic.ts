// Small files that are there whole, in the old version or the new one, whatever happens in between.

import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileTime } from "../../core/text/format.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { codeOf, ifPresent } from "./present.ts";

/** How the names of half-written files look, for those who list what git shall not see. */
export const temporaryFiles = ".superteam-*.tmp";

/**
 * Replaces a file; it is on disk for good when this resolves. Its folder is made where there is none; the file's mode is
 * kept. The new text is first written to `beside`, on the same file system: a writer that is killed leaves a temporary file
 * there.
 */
export async function writeAtomically(path: string, text: string, beside = dirname(path)): Promise<void> {
  await replace(path, text, { beside, flush: true });
}

/** As whole, and sooner done, because the disk is not waited for: after a power cut the file may be an older one, or damaged. */
export async function writeWhole(path: string, text: string, beside: string): Promise<void> {
  await replace(path, text, { beside, flush: false });
}

interface Way {
  readonly beside: string;
  readonly flush: boolean;
}

async function replace(path: string, text: string, { beside, flush }: Way): Promise<void> {
  const temporary = join(beside, temporaryFiles.replace("*", randomBytes(8).toString("hex")));
  try {
    await mkdir(dirname(path), { recursive: true });
    const mode = await modeOf(path);
    await writeFile(temporary, text, { flag: "wx", flush, mode });
    // The mode it was made with is cut by the umask.
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
    if (flush) await syncFolder(dirname(path));
  } catch (cause) {
    await rm(temporary, { force: true });
    // A git folder may lie on another file system than its tree.
    if (codeOf(cause) === "EXDEV" && beside !== dirname(path))
      return replace(path, text, { beside: dirname(path), flush });
    const message =
      `${path} could not be written (${reasonOf(cause)}). What was there before is unchanged. ` +
      "Free some space or make the folder writable, then try again.";
    throw new OutsideFailure("unwritable", message, { cause });
  }
}

/** A new name in a folder is durable only when the folder itself is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Moves a damaged file out of the way, keeping its bytes; gives the name it has now. */
export async function moveAside(path: string, now: number): Promise<string> {
  const aside = await asideOf(path, now);
  await rename(path, aside);
  await syncFolder(dirname(path));
  return basename(aside);
}

/** Where damaged bytes of a file can be kept: what was kept there before, in the same second too, is not overwritten. */
export async function asideOf(path: string, now: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const aside = `${path}.corrupt-${fileTime(now)}${attempt === 1 ? "" : `-${attempt}`}`;
    if ((await modeOf(aside)) === undefined) return aside;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  return (await ifPresent(stat(path)))?.mode;
}
