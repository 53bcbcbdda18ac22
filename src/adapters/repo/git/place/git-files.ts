// Files of git's own folder, as bytes and mode: saved, and put back as they were.

import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** By path in the folder: null where there is no such file. */
export type SavedFiles = Readonly<Record<string, SavedFile | null>>;

interface SavedFile {
  /** Bytes. */
  readonly text: string;
  readonly mode: number;
}

export async function readFiles(folder: string, paths: readonly string[]): Promise<SavedFiles> {
  const files = await Promise.all(paths.map(async (path) => [path, await readOne(join(folder, path))] as const));
  return Object.fromEntries(files);
}

async function readOne(file: string): Promise<SavedFile | null> {
  const seen = await stat(file).catch(() => undefined);
  if (!seen?.isFile()) return null;
  const text = await readFile(file, "latin1").catch(() => undefined);
  return text === undefined ? null : { text, mode: seen.mode & 0o777 };
}

/** Makes the files of a folder what they were. Gives the paths of those that differed. */
export async function putFilesBack(folder: string, before: SavedFiles, now: SavedFiles): Promise<readonly string[]> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = paths.filter((path) => JSON.stringify(before[path] ?? null) !== JSON.stringify(now[path] ?? null));
  for (const path of changed) {
    const file = join(folder, path);
    const wanted = before[path] ?? null;
    if (wanted === null) await rm(file, { force: true });
    else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, wanted.text, "latin1");
      await chmod(file, wanted.mode);
    }
  }
  return changed;
}
