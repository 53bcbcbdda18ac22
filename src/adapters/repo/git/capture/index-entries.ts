// What an index holds, read from its bytes, without a process.

import type { BytePath } from "../process/paths.ts";
import type { TreeEdit } from "../tree/edit-tree.ts";

export interface IndexEntry {
  readonly mode: string;
  readonly hash: string;
}

/** By path. */
export interface IndexEntries extends Iterable<readonly [BytePath, IndexEntry]> {
  has(path: BytePath): boolean;
  get(path: BytePath): IndexEntry | undefined;
  keys(): Iterable<BytePath>;
}

/** What makes an entry one that only git can judge: conflicts, and flags that hide its file or its content. */
const oddFlags = { always: 0xb000, extended: 0x6000 };
const isExtended = 0x4000;
const nameAt = { plain: 2, extended: 4 };
const [modeAt, hashAt] = [24, 40];
export const firstAt = 12;
/** Links and plain files; not submodules, nor the folders of a sparse index. */
const usualModes = new Set(["100644", "100755", "120000"]);

/** Undefined when there is anything in it that only git can judge. */
export function readIndexEntries(bytes: Buffer, hashBytes: number): ReadonlyMap<BytePath, IndexEntry> | undefined {
  if (bytes.length === 0) return new Map();
  return ifWhole(() => readEntries(bytes, hashBytes));
}

/** Undefined where bytes are missing. */
export function ifWhole<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    // It ends before it should, or has another form: git says so.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function readEntries(bytes: Buffer, hashBytes: number): ReadonlyMap<BytePath, IndexEntry> | undefined {
  const header = readHeader(bytes);
  if (header === undefined) return undefined;
  const entries = new Map<BytePath, IndexEntry>();
  let [at, path] = [firstAt, ""];
  for (let left = header.count; left > 0; left--) {
    const found = readEntry(bytes, at, { ...header, hashBytes, before: path });
    if (found === undefined) return undefined;
    entries.set(found.path, found.entry);
    [at, path] = [found.end, found.path];
  }
  return hasRequiredPart(bytes, at, bytes.length - hashBytes) ? undefined : entries;
}

export interface IndexHeader {
  readonly version: number;
  readonly count: number;
}

/** Undefined where it is none. */
export function readHeader(bytes: Buffer): IndexHeader | undefined {
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const isKnown = bytes.toString("latin1", 0, 4) === "DIRC" && version >= 2 && version <= 4;
  return isKnown ? { version, count } : undefined;
}

export interface FoundEntry {
  readonly path: BytePath;
  readonly entry: IndexEntry;
  readonly end: number;
}

interface EntryForm {
  readonly version: number;
  readonly hashBytes: number;
  /** The path of the entry before it. */
  readonly before: BytePath;
}

/** Undefined for one that only git can judge. */
export function readEntry(
  bytes: Buffer,
  at: number,
  { version, hashBytes, before }: EntryForm,
): FoundEntry | undefined {
  const flagsAt = at + hashAt + hashBytes;
  const flags = bytes.readUInt16BE(flagsAt);
  const hasMore = (flags & isExtended) !== 0;
  if ((flags & oddFlags.always) !== 0) return undefined;
  if (hasMore && (bytes.readUInt16BE(flagsAt + 2) & oddFlags.extended) !== 0) return undefined;
  const start = flagsAt + (hasMore ? nameAt.extended : nameAt.plain);
  const { path, end } = readName(bytes, start, version === 4 ? before : undefined);
  const entry = contentOf(bytes, at, hashBytes);
  if (!usualModes.has(entry.mode)) return undefined;
  // But for the newest form each entry is filled up to eight bytes, with one zero at least.
  return { path, entry, end: version === 4 ? end : at + ((end - 1 - at + 8) & ~7) };
}

/** Of the entry that begins there. */
export function contentOf(bytes: Buffer, at: number, hashBytes: number): IndexEntry {
  const mode = bytes.readUInt32BE(at + modeAt).toString(8);
  return { mode, hash: bytes.toString("hex", at + hashAt, at + hashAt + hashBytes) };
}

/** `before`: the path of the entry before it, where only what differs is written. */
function readName(bytes: Buffer, start: number, before: string | undefined): { path: BytePath; end: number } {
  const kept = before === undefined ? { prefix: "", at: start } : keptOf(bytes, start, before);
  const zero = bytes.indexOf(0, kept.at);
  if (zero < 0) throw new RangeError("a name without an end");
  return { path: kept.prefix + bytes.toString("latin1", kept.at, zero), end: zero + 1 };
}

/** How many bytes of the path before are dropped is a number of variable length. */
function keptOf(bytes: Buffer, start: number, before: string): { prefix: string; at: number } {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  return { prefix: before.slice(0, before.length - dropped), at };
}

/** A part whose name begins with a small letter changes what the entries mean. */
export function hasRequiredPart(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 8 + bytes.readUInt32BE(at + 4))
    if (/^[a-z]/.test(bytes.toString("latin1", at, at + 1))) return true;
  return false;
}

/** What makes a tree of the one index a tree of the other. */
export function editsBetween(before: IndexEntries, now: IndexEntries): readonly TreeEdit[] {
  if (before === now) return [];
  const edits: TreeEdit[] = [];
  for (const [path, entry] of now) {
    if (!isEqual(before.get(path), entry)) edits.push({ path, entry });
  }
  for (const path of before.keys()) if (!now.has(path)) edits.push({ path, entry: null });
  return edits;
}

export const isEqual = (one: IndexEntry | undefined, other: IndexEntry): boolean =>
  one?.hash === other.hash && one.mode === other.mode;
