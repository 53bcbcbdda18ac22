// The entries of a large index. Most of them are as before: if the index was read before, only what differs is read again, and of each entry
// only the fields that are used.

import type { BytePath } from "../process/paths.ts";
import type { TreeEdit } from "../tree/edit-tree.ts";
import {
  contentOf,
  firstAt,
  hasRequiredPart,
  type IndexEntries,
  type IndexEntry,
  ifWhole,
  isEqual,
  readEntry,
  readHeader,
} from "./index-entries.ts";

/** Undefined when there is anything in it that only git can judge. `before`: as it was read last. */
export function readLargeIndex(bytes: Buffer, hashBytes: number, before?: LargeIndex): LargeIndex | undefined {
  const nothing = new LargeIndex({ bytes: Buffer.alloc(0), hashBytes, paths: [], starts: [firstAt] }, undefined);
  return bytes.length === 0 ? nothing : ifWhole(() => readAfter(before ?? nothing, bytes));
}

interface Layout {
  readonly bytes: Buffer;
  readonly hashBytes: number;
  /** In the order of the index, which is that of their bytes. */
  readonly paths: readonly BytePath[];
  /** Where each of them begins in the bytes, and where the last one ends. */
  readonly starts: readonly number[];
}

export class LargeIndex implements IndexEntries {
  readonly layout: Layout;
  /** What makes a tree of the index before it a tree of this one; undefined where there was none to compare it with. */
  readonly edits: readonly TreeEdit[] | undefined;

  constructor(layout: Layout, edits: readonly TreeEdit[] | undefined) {
    this.layout = layout;
    this.edits = edits;
  }

  has(path: BytePath): boolean {
    return this.#find(path) !== undefined;
  }

  get(path: BytePath): IndexEntry | undefined {
    const at = this.#find(path);
    return at === undefined ? undefined : contentOf(this.layout.bytes, at, this.layout.hashBytes);
  }

  keys(): readonly BytePath[] {
    return this.layout.paths;
  }

  *[Symbol.iterator](): Generator<readonly [BytePath, IndexEntry]> {
    const { bytes, hashBytes, paths, starts } = this.layout;
    for (const [nth, path] of paths.entries()) yield [path, contentOf(bytes, starts[nth] ?? 0, hashBytes)];
  }

  /** Where its entry begins. */
  #find(path: BytePath): number | undefined {
    const { paths, starts } = this.layout;
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((paths[middle] ?? "") < path) low = middle + 1;
      else high = middle;
    }
    return paths[low] === path ? starts[low] : undefined;
  }
}

function readAfter(last: LargeIndex, bytes: Buffer): LargeIndex | undefined {
  const { hashBytes } = last.layout;
  const header = readHeader(bytes);
  if (header === undefined) return undefined;
  const isComparable = last.layout.paths.length > 0 && readHeader(last.layout.bytes)?.version === header.version;
  const before: Layout = isComparable ? last.layout : { ...last.layout, paths: [], starts: [firstAt] };
  const [paths, starts, edits]: [BytePath[], number[], TreeEdit[]] = [[], [firstAt], []];
  // Where it is in this one, and which entry is the next in the one before.
  let [at, nth] = [firstAt, 0];
  for (; paths.length < header.count; at = starts.at(-1) ?? at) {
    const path = paths.at(-1) ?? "";
    // In the newest form an entry says only what differs from the path before it.
    const mayBeSame = header.version < 4 || (before.paths[nth - 1] ?? "") === path;
    const same = mayBeSame ? sameEntries(before, nth, { bytes, at, left: header.count - paths.length }) : 0;
    const shift = at - (before.starts[nth] ?? 0);
    for (const end = nth + same; nth < end; ) {
      paths.push(before.paths[nth++] ?? "");
      starts.push((before.starts[nth] ?? 0) + shift);
    }
    if (same > 0) continue;
    const found = readEntry(bytes, at, { version: header.version, hashBytes, before: path });
    if (found === undefined || found.path <= path) return undefined;
    nth = passOver(before, nth, found.path, edits);
    const isThere = before.paths[nth] === found.path;
    const was = isThere ? contentOf(before.bytes, before.starts[nth++] ?? 0, hashBytes) : undefined;
    if (!isEqual(was, found.entry)) edits.push({ path: found.path, entry: found.entry });
    paths.push(found.path);
    starts.push(found.end);
  }
  passOver(before, nth, undefined, edits);
  if (hasRequiredPart(bytes, at, bytes.length - hashBytes)) return undefined;
  return new LargeIndex({ bytes, hashBytes, paths, starts }, isComparable ? edits : undefined);
}

/** Entries before this path are there no more. Gives which one is the next. */
function passOver({ paths }: Layout, from: number, to: BytePath | undefined, edits: TreeEdit[]): number {
  let nth = from;
  for (let path = paths[nth]; path !== undefined && (to === undefined || path < to); path = paths[++nth])
    edits.push({ path, entry: null });
  return nth;
}

/** As many are compared at once. */
const many = 256;

/** How many of the next entries are for sure those of the index before: the same bytes. */
function sameEntries(
  before: Layout,
  nth: number,
  { bytes, at, left }: { readonly bytes: Buffer; readonly at: number; readonly left: number },
): number {
  const isSame = (count: number): boolean => {
    const [start, end] = [before.starts[nth], before.starts[nth + count]];
    if (count > left || start === undefined || end === undefined) return false;
    const to = at + end - start;
    return to <= bytes.length && before.bytes.compare(bytes, at, to, start, end) === 0;
  };
  return [many, 1].find(isSame) ?? 0;
}
