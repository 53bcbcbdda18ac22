// Reads a small file synchronously. An asynchronous read waits for its turn at each step, which costs a dispatch more time than the reading.

import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeFileSync } from "node:fs";
import { codeOf, isMissing } from "./present.ts";

/**
 * At most so many bytes from its start. Throws what the system says, and `EINVAL` for a pipe or a device, whose reading
 * might never end.
 */
export function firstBytes(path: string | Buffer, limit: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() && !found.isDirectory())
      throw Object.assign(new Error(`EINVAL: ${path} is not a file`), { code: "EINVAL" });
    const buffer = Buffer.alloc(Math.min(limit, found.size + 1));
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, length);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Nothing that is read this way is larger. */
const most = 16 * 1024 * 1024;

/** undefined when there is no such file. */
export function smallFile(path: string): string | undefined {
  try {
    return firstBytes(path, most).toString("utf8");
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

/** Written only where it says something else, and then as a whole: somebody may be reading it. Whatever stood there is replaced. */
export function keepText(path: string, text: string): void {
  if (textAt(path) === text) return;
  const beside = `${path}.${randomUUID()}`;
  writeFileSync(beside, text, { flag: "wx" });
  renameSync(beside, path);
}

/** Undefined where nothing can be read. */
function textAt(path: string): string | undefined {
  try {
    return firstBytes(path, most).toString("utf8");
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return undefined;
  }
}
