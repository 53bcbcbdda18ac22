// A repository's files as a map of texts, for who wants to know how it is checked.

import { posix } from "node:path";
import type { TreeFiles } from "../../src/core/validation/tree-files.ts";

export function filesOf(texts: Readonly<Record<string, string>>): TreeFiles {
  const names = (folder: string): readonly string[] => {
    const prefix = folder === "" ? "" : `${folder}/`;
    const inside = Object.keys(texts).filter((path) => path.startsWith(prefix));
    return [...new Set(inside.map((path) => path.slice(prefix.length).split("/")[0] ?? ""))].toSorted();
  };
  return { text: (path) => texts[posix.normalize(path)], names };
}
