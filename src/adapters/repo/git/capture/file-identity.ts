// Whether a file is the one that was seen before, without reading it: its inode, size, mode and times say so. A time is worth
// nothing for a file that changed just before it was seen: it can change once more in the same tick of the clock.

import type { BigIntStats } from "node:fs";

/** What cannot be read now may be there later: it is no file that was seen. */
export function identity(file: BigIntStats | undefined): string {
  if (file === undefined) return "";
  return `${file.dev} ${file.ino} ${file.size} ${file.mode} ${file.mtimeNs} ${file.ctimeNs}`;
}

/** The disk's time after which no change of this file can hide. Some disks count whole seconds, or two. */
export function settledNs(file: BigIntStats | undefined): bigint {
  if (file === undefined) return 0n;
  return file.ctimeNs + (file.ctimeNs % 1_000_000_000n === 0n ? 2_100_000_000n : 20_000_000n);
}
