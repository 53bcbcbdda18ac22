// One record as one line of journal.jsonl:
//
//   {"v":2,"entry":{"seq":7,"at":...,"type":...},"hash":"<64 hex digits>"}\n
//
// A hash is SHA-256 over the bytes of the file from the previous hash's first digit (for the first line: from the
// start) up to its own field. So it covers the previous hash and this line, and is checked on the bytes as they are.

import { hash } from "node:crypto";
import type { Entry } from "../../ports/journal.ts";
import { blobMark } from "./blobs.ts";

export const schemaVersion = 2;

/** The versions of superteam that wrote the formats before this one. */
export const writtenBy: Readonly<Record<number, string>> = { 1: "0.1" };

const hashField = ',"hash":"';
const lineEnd = '"}\n';
const hashLength = 64;
/** Bytes of a line from its hash field to its end, without the newline. */
const closing = hashField.length + hashLength + lineEnd.length - 1;

/** The line for an entry that is JSON already, and its hash. `previous` is the last line's hash, empty for the first. */
export function encodeLine(entryJson: string, previous: string): { readonly line: string; readonly hash: string } {
  const open = `{"v":${schemaVersion},"entry":${entryJson}`;
  const own = hash("sha256", previous === "" ? open : previous + lineEnd + open);
  return { line: open + hashField + own + lineEnd, hash: own };
}

export interface JournalLine {
  readonly entry: Entry;
  readonly hash: string;
  readonly hasBlobs: boolean;
}

/** Reads the line at `start`, whose newline is at `end`, of a file whose last good hash was `previous`; or says what is wrong. */
export function decodeLine(file: Buffer, start: number, end: number, previous: string): JournalLine | string {
  const fieldAt = end - closing;
  if (fieldAt <= start) return "is cut off";
  const text = file.toString("utf8", start, end);
  if (!text.startsWith(hashField, text.length - closing)) return "has no hash";
  const own = text.slice(text.length - hashLength - 2, -2);
  const covered = file.subarray(previous === "" ? start : start - hashLength - lineEnd.length, fieldAt);
  if (hash("sha256", covered) !== own) return "does not continue the chain of hashes";
  try {
    const { v, entry }: { readonly v: number; readonly entry: Entry } = JSON.parse(text);
    if (v !== schemaVersion) return `is of format ${v}`;
    return { entry, hash: own, hasBlobs: text.includes(blobMark) };
  } catch (cause) {
    return `cannot be read (${String(cause)})`;
  }
}

/** The schema version a line says it has; 0 when it says none. Every version keeps this beginning of a line. */
export function versionAt(file: Buffer, start: number): number {
  const [, version] = /^\{"v":(\d+),/.exec(file.toString("latin1", start, start + 16)) ?? [];
  return Number(version ?? 0);
}
