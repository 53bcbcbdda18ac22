// When the agents of a dispatch were gone (E3, E8): the time of the file that superteam, or the watchdog after its death, wrote.

import { stat } from "node:fs/promises";
import { join } from "node:path";

export function goneFile(folder: string): string {
  return join(folder, "gone");
}

/** Processes of the dispatch that have lost its tag, each with its birth: what was known of them must outlive superteam (W5). */
export function untaggedFile(folder: string): string {
  return join(folder, "untagged");
}

/** Milliseconds since the epoch, on the clock of the file system; null while there is no such note. */
export async function goneAt(folder: string): Promise<number | null> {
  return (await stat(goneFile(folder)).catch(() => null))?.mtimeMs ?? null;
}
