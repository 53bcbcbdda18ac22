// The last capture of a working tree, to be used again while nothing has changed: the index lists the same, and each file that
// git would have to read is the one that was read. Whether a file is, its inode, size, mode and times say. A time is worth
// nothing for a file that changed just before it was read: it can change once more in the same tick of the clock.

import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk } from "../process/paths.ts";

/** What a capture rests on. */
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
  { listing, paths }: { readonly listing: string; readonly paths: readonly BytePath[] },
): Promise<Sight> {
  const now = (await statOf(newest))?.ctimeNs ?? 0n;
  const files = [...paths.map((path) => onDisk(checkout.root, path)), ...deciding(checkout)];
  const seen = await Promise.all(files.map(statOf));
  const entries = listing.split("\0").filter((line) => /^[HSM] /.test(line));
  return {
    listing,
    entries: entries.join("\0"),
    files: [...paths, ...seen.map(identity)].join("\0"),
    isSettled: seen.every((file) => file === undefined || now - file.ctimeNs > tickOf(file)),
  };
}

const statOf = (file: string | Buffer): Promise<BigIntStats | undefined> =>
  lstat(file, { bigint: true }).catch(() => undefined);

/** Files that decide what git makes of a file's bytes. */
function deciding({ commonDir }: Checkout): readonly string[] {
  return ["config", "info/attributes"].map((name) => join(commonDir, name));
}

/** What cannot be read now may be there later: it is no file that was read. */
function identity(file: BigIntStats | undefined): string {
  if (file === undefined) return "";
  return `${file.dev} ${file.ino} ${file.size} ${file.mode} ${file.mtimeNs} ${file.ctimeNs}`;
}

/** More than a tick of the clock that dates this file: some disks count whole seconds, or two. */
function tickOf({ ctimeNs }: BigIntStats): bigint {
  return ctimeNs % 1_000_000_000n === 0n ? 2_100_000_000n : 20_000_000n;
}

export function isSame(one: Sight, other: Sight): boolean {
  return one.isSettled && one.listing === other.listing && one.files === other.files;
}
