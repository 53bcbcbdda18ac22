// Where a program is, without starting it.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The file that this name would run. */
export function onPath(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const candidates = (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  return candidates.find((file) => isFile(file) && isRunnable(file));
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
