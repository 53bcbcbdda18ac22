// A repository's files on disk, to find out how it is checked. A file that cannot be read counts as missing. Each file is read once, and only if
// its folder lists it, because many are asked for and few exist.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { TreeFiles } from "../../core/validation/tree-files.ts";
import { firstBytes } from "../files/small-file.ts";

export function treeFiles(root: string): TreeFiles {
  const names = readOnce((folder) => readable(() => readdirSync(join(root, folder)).toSorted()) ?? []);
  const isNamed = (path: string): boolean => names(folderOf(path)).includes(basename(path));
  return {
    text: readOnce((path) =>
      isNamed(path) ? readable(() => firstBytes(join(root, path), most).toString("utf8")) : undefined,
    ),
    names,
  };
}

/** Empty for the tree itself. */
const folderOf = (path: string): string => (path.includes("/") ? dirname(path) : "");

function readOnce<T>(read: (path: string) => T): (path: string) => T {
  const known = new Map<string, { readonly read: T }>();
  return (path) => {
    const one = known.get(path) ?? { read: read(path) };
    known.set(path, one);
    return one.read;
  };
}

/** A manifest that is larger is none. */
const most = 1024 * 1024;

/** Undefined when the system does not let it be read. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
