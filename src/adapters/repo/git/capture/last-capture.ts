// The last capture of a working tree, to be used again while nothing has changed: the index lists the same, and each file that
// git would have to read is the one that was read (file-identity.ts).

import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk } from "../process/paths.ts";
import { identity, settledNs } from "./file-identity.ts";
import type { IndexEntries } from "./index-entries.ts";

export interface CapturedTree {
  readonly tree: string;
  /** The index as it is, as a tree; undefined when it has conflicts. */
  readonly index: string | undefined;
  /** Changed or new, but not in the tree: nested repositories, files over 10 MB, those that cannot be read or git does not take. */
  readonly leftAlone: readonly BytePath[];
  /** In the tree as they are, because git refuses to store them by the rules that it has for them: see add-entries.ts. */
  readonly refused: readonly BytePath[];
  /** `<tag> <path>` of entries that git does not compare with their files: `h` assume-unchanged, `S` skip-worktree, `s` both. */
  readonly flagged: readonly string[];
  readonly unread: Unread;
  /** git is known to store every byte of a file. */
  readonly isRaw: boolean;
  /** Of the index as it was, in bytes. */
  readonly indexHash: string;
}

/** Entries whose files git did not read, because their times are those in the index: all of these but those that were read. */
export interface Unread {
  readonly entries: IndexEntries;
  readonly read: ReadonlySet<BytePath>;
}

/** What a capture is based on. */
export interface Sight {
  /** What git lists: the index, and which paths differ from it. */
  readonly listing: string;
  /** The index alone. */
  readonly entries: string;
  readonly files: string;
  /** No file is so young that its times say nothing. */
  readonly isSettled: boolean;
}

/**
 * To be taken before the files are read. `newest` is a file that was made a moment ago: its time is the disk's own now, which
 * may be another one than ours. Without it no age is known.
 */
export async function sightOf(
  checkout: Checkout,
  newest: string,
  { listing, entries, paths }: Pick<Sight, "listing" | "entries"> & { readonly paths: readonly BytePath[] },
): Promise<Sight> {
  const now = (await statOf(newest))?.ctimeNs ?? 0n;
  const files = [...paths.map((path) => onDisk(checkout.root, path)), ...deciding(checkout)];
  const seen = await Promise.all(files.map(statOf));
  return {
    listing,
    entries,
    files: [...paths, ...seen.map(identity)].join("\0"),
    isSettled: seen.every((file) => now > settledNs(file) || file === undefined),
  };
}

const statOf = (file: string | Buffer): Promise<BigIntStats | undefined> =>
  lstat(file, { bigint: true }).catch(() => undefined);

/** Files that decide what git makes of a file's bytes. */
function deciding({ commonDir }: Checkout): readonly string[] {
  return ["config", "info/attributes"].map((name) => join(commonDir, name));
}

export function isSame(one: Sight, other: Sight): boolean {
  return one.isSettled && one.listing === other.listing && one.files === other.files;
}
