// Files that may be missing, which is an answer and not a failure. And the system's reason where it is one.

import { constants } from "node:fs";
import { readFile, unlink } from "node:fs/promises";

/** What the reading gives; undefined when what it reads is not there. */
export async function ifPresent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

/** Also true when a parent is not a folder. */
export function isMissing(cause: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(cause));
}

/** How to open what an agent may have put a pipe in the place of: a thread that waits for one keeps even the process from ending. */
export const withoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK;

export function readIfPresent(path: string): Promise<string | undefined> {
  return ifPresent(readFile(path, { encoding: "utf8", flag: withoutWaiting }));
}

/** Whether it was us who removed the file. */
export async function removeIfPresent(path: string): Promise<boolean> {
  return (await ifPresent(unlink(path).then(() => true))) ?? false;
}

/** The system's error code, such as ENOENT; empty for other errors. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}
