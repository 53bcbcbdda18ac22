// Reads the bytes of a journal as far as they are whole (E9). Nothing is changed on disk here.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { Entry, ExaminedJournal } from "../../ports/journal.ts";
import { withoutWaiting } from "../files/present.ts";
import { type KnownTexts, loadBlobs, namesIn, resolve } from "./blobs.ts";
import { decodeLine, type JournalLine, schemaVersion, versionAt, writtenBy } from "./line.ts";

export interface Scan {
  readonly entries: readonly Entry[];
  /** How many bytes of the file the entries take. */
  readonly goodBytes: number;
  /** The hash of the last good record. */
  readonly lastHash: string;
  /** Names of the blobs that were read and are whole. */
  readonly blobs: ReadonlySet<string>;
  readonly damage: Damage | undefined;
}

interface Damage {
  /** The first record that is not whole: its number, counting from 1. */
  readonly record: number;
  readonly why: string;
}

/** `end`: where the line ends in the file, its newline included. */
type Found = JournalLine & { readonly end: number };
type Read = { readonly found: readonly Found[] } & Pick<Scan, "damage">;

/** What a journal says, for those who only look. Nothing is repaired: a live runner may be in the middle of a line. */
export async function readFileJournal(folder: string): Promise<ExaminedJournal> {
  const file = journalFile(folder);
  const { entries, damage } = await scanJournal(file, await readBytes(file));
  return { entries, ...(damage && { damage: `record ${damage.record} ${damage.why}` }) };
}

export const journalFile = (folder: string): string => join(folder, "journal.jsonl");

export async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file, { flag: withoutWaiting });
  } catch (cause) {
    const message = `The journal cannot be read: ${reasonOf(cause)}. Restore it or make it readable. Or give the run up (superteam abort), then: superteam run`;
    throw new OutsideFailure("unreadable", message, { cause });
  }
}

/** The entries of a journal up to its first damage. Throws when there is no run header, or the version is newer. */
export async function scanJournal(file: string, bytes: Buffer): Promise<Scan> {
  const read = readLines(bytes);
  if (read.damage) refuseOtherFormats(file, bytes, read.found.at(-1)?.end ?? 0);
  const { entries, blobs, damage } = await resolveBlobs(join(dirname(file), "blobs"), read);
  const last = read.found[entries.length - 1];
  if (!last || entries[0]?.type !== "run") throw withoutHeader(file, damage);
  return { entries, blobs, damage, goodBytes: last.end, lastHash: last.hash };
}

function readLines(bytes: Buffer): Read {
  const found: Found[] = [];
  let previous = "";
  for (let start = 0; start < bytes.length; ) {
    const record = found.length + 1;
    const newline = bytes.indexOf("\n", start);
    if (newline < 0) return { found, damage: { record, why: "is cut off" } };
    const line = decodeLine(bytes, start, newline, previous);
    if (typeof line === "string") return { found, damage: { record, why: line } };
    if (line.entry.seq !== record) return { found, damage: { record, why: `says it is number ${line.entry.seq}` } };
    start = newline + 1;
    previous = line.hash;
    found.push({ ...line, end: start });
  }
  return { found, damage: undefined };
}

/** Another format from here on is not damage: it must not be cut off by us (E9). */
function refuseOtherFormats(file: string, bytes: Buffer, from: number): void {
  const older = from === 0 ? writtenBy[versionAt(bytes, 0)] : undefined;
  if (older !== undefined) {
    const message =
      `${file} was written by superteam ${older}, whose format this version does not read. It was left as it is. ` +
      `Finish the run with superteam ${older}, or end it (superteam abort) and start a new one: superteam run`;
    throw new OutsideFailure("older", message);
  }
  for (let start = from; start < bytes.length; start = lineAfter(bytes, start)) {
    const version = versionAt(bytes, start);
    if (version <= schemaVersion) continue;
    const message =
      `${file} was written by a newer superteam (its format is ${version}, this one reads up to ${schemaVersion}). ` +
      "It was left as it is. Update superteam, then: superteam resume";
    throw new OutsideFailure("newer", message);
  }
}

function lineAfter(bytes: Buffer, start: number): number {
  const newline = bytes.indexOf("\n", start);
  return newline < 0 ? bytes.length : newline + 1;
}

/** Reads long texts back in. A record whose text is missing or damaged is damaged itself. */
async function resolveBlobs(
  folder: string,
  { found, damage }: Read,
): Promise<Pick<Scan, "entries" | "blobs" | "damage">> {
  const names = new Set(found.flatMap(({ entry, hasBlobs }) => (hasBlobs ? namesIn(entry) : [])));
  const { whole, bad } = await loadBlobs(folder, names);
  const entries: Entry[] = [];
  const blobs = new Set(whole.keys());
  const known: KnownTexts = new Map();
  for (const { entry, hasBlobs } of found) {
    const missing = hasBlobs && namesIn(entry).find((name) => !blobs.has(name));
    if (missing) return { entries, blobs, damage: { record: entry.seq, why: bad.get(missing) ?? "" } };
    // The cast: resolving puts texts back into an entry and leaves its shape alone.
    entries.push(hasBlobs ? (resolve(entry, whole, known) as Entry) : entry);
  }
  return { entries, blobs, damage };
}

function withoutHeader(file: string, damage: Damage | undefined): OutsideFailure {
  const why = damage ? `its record ${damage.record} ${damage.why}` : "it does not begin with the header of a run";
  const message =
    `${file} cannot be read as a run: ${why}. It was left as it is. ` +
    "Restore a copy of it if you have one. Or give the run up (superteam abort), then: superteam run";
  return new OutsideFailure("unreadable", message);
}
