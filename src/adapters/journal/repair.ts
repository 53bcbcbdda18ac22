// Moves the damaged end of a journal aside and cuts the file back to its last whole record. No byte is lost (E9): the
// copy is on disk for good before anything is cut.

import { basename, dirname } from "node:path";
import { fileTime } from "../../core/text/format.ts";
import { codeOf } from "../files/present.ts";
import { cutSynced, syncFolder, writeSynced } from "./disk.ts";
import type { Damage, Scan } from "./scan.ts";

export interface Damaged {
  readonly file: string;
  readonly bytes: Buffer;
  readonly scan: Scan;
  readonly damage: Damage;
  readonly now: number;
}

/** Returns a sentence that says what was done. */
export async function quarantine({ file, bytes, scan, damage, now }: Damaged): Promise<string> {
  const moved = bytes.subarray(scan.goodBytes);
  const aside = await keepAside(`${file}.corrupt-${fileTime(now)}`, moved);
  await cutSynced(file, scan.goodBytes);
  return (
    `The journal was damaged: record ${damage.record} ${damage.why}. ` +
    `The ${scan.entries.length} records before it are used; the ${moved.length} bytes from there on were moved to ${basename(aside)}.`
  );
}

/** Never overwrites what was kept before: a second damage in the same second gets a name of its own. */
async function keepAside(name: string, bytes: Buffer, attempt = 1): Promise<string> {
  const path = attempt === 1 ? name : `${name}-${attempt}`;
  try {
    await writeSynced(path, "wx", bytes);
  } catch (cause) {
    if (cause instanceof Error && codeOf(cause.cause) === "EEXIST") return keepAside(name, bytes, attempt + 1);
    throw cause;
  }
  await syncFolder(dirname(path));
  return path;
}
