// Whether a file is the one that was seen before, without reading it: its inode, size, mode and times say so. A time is worth
// nothing for a file that changed just before it was seen: it can change once more in the same tick of the clock.

import { type BigIntStats, fstatSync, lstatSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DiskPath } from "../process/paths.ts";

/** What cannot be read now may be there later: it is no file that was seen. */
export function identity(file: BigIntStats | undefined): string {
  return file === undefined ? "" : `${lastingIdentity(file)} ${file.ctimeNs}`;
}

/** What stays when a file gets another name. */
export const lastingIdentity = (file: BigIntStats): string =>
  `${file.dev} ${file.ino} ${file.size} ${file.mode} ${file.mtimeNs}`;

/** The disk's time after which no change of this file can hide. Some disks count whole seconds, or two. */
export function settledNs(file: BigIntStats | undefined): bigint {
  if (file === undefined) return 0n;
  return file.ctimeNs + (file.ctimeNs % 1_000_000_000n === 0n ? 2_100_000_000n : 20_000_000n);
}

/** The identity of one that was seen at this time of the disk, or later; undefined for one so young that it says nothing. */
export function settledIdentity(file: BigIntStats | undefined, now: bigint): string | undefined {
  return now > settledNs(file) ? identity(file) : undefined;
}

export function statOf(file: DiskPath): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}

/** As `statOf`, where somebody may have closed the folder. */
export function statIfOpen(file: DiskPath): BigIntStats | undefined | "closed" {
  try {
    return statOf(file);
  } catch {
    return "closed";
  }
}

/** The disk's time, which may be another one than ours, when this file was made; 0 when there is none. */
export const madeAt = (file: string): bigint => statOf(file)?.ctimeNs ?? 0n;

export function diskNow({ gitDir }: { readonly gitDir: string }): bigint {
  try {
    const clock = clocks.get(gitDir) ?? openClock(gitDir);
    writeSync(clock, ".", 0);
    return fstatSync(clock, { bigint: true }).ctimeNs;
  } catch {
    // Nothing is settled then, and git is asked.
    return 0n;
  }
}

const clocks = new Map<string, number>();

/** A file on the disk that git's folder is on: its time is the disk's now when it is written. Its name is not needed, and would stay. */
function openClock(gitDir: string): number {
  const file = join(gitDir, "superteam", `clock-${process.pid}`);
  mkdirSync(dirname(file), { recursive: true });
  const clock = openSync(file, "w");
  rmSync(file, { force: true });
  clocks.set(gitDir, clock);
  return clock;
}
