import { isAbsolute, relative } from "node:path";

/** Whether a path is a folder or lies in it. */
export function isIn(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith("../") && !isAbsolute(below);
}
