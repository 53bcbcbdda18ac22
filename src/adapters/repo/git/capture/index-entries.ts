// What an index holds, read from its bytes, without a process.

import type { BytePath } from "../process/paths.ts";
import type { TreeEdit } from "../tree/edit-tree.ts";

export interface IndexEntry {
  readonly mode: string;
  readonly hash: string;
}

export type IndexEntries = ReadonlyMap<BytePath, IndexEntry>;

/** What makes an entry one that only git can judge: conflicts, and flags that hide its file or its content. */
const oddFlags = { always: 0xb000, extended: 0x6000 };
const isExtended = 0x4000;
const nameAt = { plain: 2, extended: 4 };
const hashAt = 40;
/** Links and plain files; not submodules, nor the folders of a sparse index. */
const usualModes = new Set(["100644", "100755", "120000"]);

/** Undefined when there is anything in it that only git can judge. */
export function readIndexEntries(bytes: Buffer, hashBytes: number): IndexEntries | undefined {
  if (bytes.length === 0) return new Map();
  try {
    return readEntries(bytes, hashBytes);
  } catch (cause) {
    // It ends before it should, or has another form: git says so.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function readEntries(bytes: Buffer, hashBytes: number): IndexEntries | undefined {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const entries = new Map<BytePath, IndexEntry>();
  let [at, path] = [12, ""];
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + hashAt + hashBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    const hasMore = (flags & isExtended) !== 0;
    if ((flags & oddFlags.always) !== 0) return undefined;
    if (hasMore && (bytes.readUInt16BE(flagsAt + 2) & oddFlags.extended) !== 0) return undefined;
    const name = readName(
      bytes,
      flagsAt + (hasMore ? nameAt.extended : nameAt.plain),
      version === 4 ? path : undefined,
    );
    path = name.path;
    const mode = bytes.readUInt32BE(at + 24).toString(8);
    if (!usualModes.has(mode)) return undefined;
    entries.set(path, { mode, hash: bytes.toString("hex", at + hashAt, flagsAt) });
    // But for the newest form each entry is filled up to eight bytes, with one zero at least.
    at = version === 4 ? name.end : at + ((name.end - 1 - at + 8) & ~7);
  }
  return hasRequiredPart(bytes, at, bytes.length - hashBytes) ? undefined : entries;
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
function hasRequiredPart(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 8 + bytes.readUInt32BE(at + 4))
    if (/^[a-z]/.test(bytes.toString("latin1", at, at + 1))) return true;
  return false;
}

/** What makes a tree of the one index a tree of the other. */
export function editsBetween(before: IndexEntries, now: IndexEntries): readonly TreeEdit[] {
  if (before === now) return [];
  const edits: TreeEdit[] = [];
  for (const [path, entry] of now) {
    const was = before.get(path);
    if (was?.hash !== entry.hash || was.mode !== entry.mode) edits.push({ path, entry });
  }
  for (const path of before.keys()) if (!now.has(path)) edits.push({ path, entry: null });
  return edits;
}
