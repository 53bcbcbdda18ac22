// Which files are about to be replaced (E3). Each is known by its identity, and by the entry that the backup has for it, so that a file that
// changes after the backup was made is not treated as the one that is in it.

import type { BigIntStats } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { diskNow, identity, settledNs, statIfOpen } from "../capture/file-identity.ts";
import type { Checkout } from "../place/checkout.ts";
import { type BytePath, onDisk } from "../process/paths.ts";
import type { Difference } from "../tree/trees.ts";

export interface SeenFiles {
  readonly differences: readonly Difference[];
  /** The identity of each, empty where there is no file. One that is not here changed while it was looked at. */
  readonly identities: ReadonlyMap<BytePath, string>;
}

/** Looks twice, with the identities in between: what is the same both times is the file that was seen. */
export async function seeFiles<T extends Pick<SeenFiles, "differences">>(
  checkout: Checkout,
  see: () => Promise<T>,
): Promise<T & SeenFiles> {
  const first = await see();
  if (first.differences.length === 0) return { ...first, identities: new Map() };
  const identities = await settledIdentities(checkout, first.differences);
  const again = await see();
  const now = new Map(again.differences.map((each) => [each.path, entryOf(each)]));
  for (const each of first.differences) if (now.get(each.path) !== entryOf(each)) identities.delete(each.path);
  return { ...again, identities };
}

const entryOf = ({ newMode, newHash }: Difference): string => `${newMode} ${newHash}`;

/** Waits until none of them can change unseen. */
async function settledIdentities(
  checkout: Checkout,
  differences: readonly Difference[],
): Promise<Map<BytePath, string>> {
  const found = new Map<BytePath, string>();
  let settled = 0n;
  for (const { path } of differences) {
    const file = fileAt(checkout.root, path);
    if (file === "closed") continue;
    found.set(path, identity(file));
    const own = settledNs(file);
    if (own > settled) settled = own;
  }
  const now = diskNow(checkout);
  const leftMs = now === 0n ? -1 : Number(settled - now) / 1_000_000;
  // A time further ahead is of another clock.
  if (leftMs >= 0 && leftMs <= longestWaitMs) await pause(leftMs + tickMs);
  return found;
}

/** More than a disk needs that counts pairs of seconds. */
const longestWaitMs = 2200;
/** The disk's clock stands still for so long. */
const tickMs = 5;

/** A folder is no file: what is in it has paths of its own. */
export function fileAt(root: string, path: BytePath): BigIntStats | undefined | "closed" {
  const seen = statIfOpen(onDisk(root, path));
  return typeof seen === "object" && seen.isDirectory() ? undefined : seen;
}
