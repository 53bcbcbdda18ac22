// Moves the damaged end of a journal aside and cuts the file back to its last whole record. No byte is lost (E9): the
// copy is synced before anything is cut. The cut is durable when the file is next synced.

import { truncate, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { asideOf, syncFolder } from "../files/atomic.ts";
import { writing } from "./failure.ts";
import type { Scan } from "./scan.ts";

/** Says what was done, if anything was damaged. */
export async function repair(file: string, bytes: Buffer, scan: Scan, now: number): Promise<readonly string[]> {
  const { damage, entries, goodBytes } = scan;
  if (damage === undefined) return [];
  const moved = bytes.subarray(goodBytes);
  const aside = await asideOf(file, now);
  await writing(aside, writeFile(aside, moved, { flag: "wx", flush: true }));
  await writing(dirname(aside), syncFolder(dirname(aside)));
  await writing(file, truncate(file, goodBytes));
  return [
    `The journal was damaged: record ${damage.record} ${damage.why}. ` +
      `The ${entries.length} records before it are used; the ${moved.length} bytes from there on were moved to ${basename(aside)}.`,
  ];
}
