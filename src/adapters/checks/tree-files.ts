// A repository's files on disk, for those who want to know how it is checked. What cannot be read is not there.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TreeFiles } from "../../core/validation/tree-files.ts";
import { firstBytes } from "../files/small-file.ts";

export function treeFiles(root: string): TreeFiles {
  return {
    text: (path) => readable(() => firstBytes(join(root, path), most).toString("utf8")),
    names: (folder) => readable(() => readdirSync(join(root, folder)).toSorted()) ?? [],
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
