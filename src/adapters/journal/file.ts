// The journal as a file, journal.jsonl in the run's folder: append-only, hash-chained, the only truth about a run.
//
// One writer (E7): a process that creates or opens a journal holds the lock of the working tree. Anyone may read.

import { constants, fstatSync, statSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Entry, Journal, OpenedJournal } from "../../ports/journal.ts";
import { syncFolder } from "../files/atomic.ts";
import { codeOf, isMissing } from "../files/present.ts";
import { systemClock } from "../process/clock.ts";
import { Appender } from "./appender.ts";
import { extract, type KnownTexts, withKnown } from "./blobs.ts";
import { disturbed, unwritable, writing } from "./failure.ts";
import { encodeLine } from "./line.ts";
import { journalContents } from "./recall.ts";
import { repair } from "./repair.ts";
import { journalFile, readBytes, type Scan, scanJournal } from "./scan.ts";

export interface FileJournalOptions {
  /** The run's folder. */
  readonly folder: string;
  readonly clock?: Pick<Clock, "now">;
}

/** Starts a new journal; its first entry is to be the run's header. Throws `exists` when there is one already. */
export async function createFileJournal(options: FileJournalOptions): Promise<Journal> {
  const file = journalFile(options.folder);
  let handle: FileHandle | undefined;
  try {
    const firstMade = await mkdir(blobFolder(options.folder), { recursive: true });
    handle = await open(file, appending | constants.O_CREAT | constants.O_EXCL);
    await syncFolders(options.folder, dirname(firstMade ?? file));
  } catch (cause) {
    await handle?.close();
    if (codeOf(cause) !== "EEXIST") throw unwritable(file, cause);
    throw new OutsideFailure("exists", `${file} exists already. Continue that run: superteam resume`);
  }
  return journalOn(handle, options, { entries: [], goodBytes: 0, lastHash: "", blobs: new Set() });
}

/** A whole journal, each entry with the number and time that it has. */
export async function writeFileJournal(options: FileJournalOptions, entries: readonly Entry[]): Promise<void> {
  const copy = await createFileJournal(options);
  try {
    for (const entry of entries) await copy.append(entry, { sync: false });
  } finally {
    await copy.close();
  }
}

/** Opens a journal to append to it. Damage at its end is moved aside first; throws `unreadable` or `newer`. */
export async function openFileJournal(options: FileJournalOptions): Promise<OpenedJournal> {
  const file = journalFile(options.folder);
  const bytes = await readBytes(file);
  const scan = await scanJournal(file, bytes);
  const repairs = await repair(file, bytes, scan, (options.clock ?? systemClock).now());
  const handle = await openToAppend(file, scan.goodBytes);
  return { journal: journalOn(handle, options, scan), repairs };
}

const appending = constants.O_WRONLY | constants.O_APPEND;

const blobFolder = (folder: string): string => join(folder, "blobs");

/** Makes the names of new folders durable: from the innermost up to the one that was there before. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  await writing(from, syncFolder(from));
  if (from.length > upTo.length) await syncFolders(dirname(from), upTo);
}

/** What was read is made durable first: an earlier life may have been killed before it synced its last records. */
async function openToAppend(file: string, size: number): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    await mkdir(join(dirname(file), "blobs"), { recursive: true });
    handle = await open(file, appending);
    await handle.datasync();
    if ((await handle.stat()).size === size) return handle;
    throw disturbed(file, "was written to or cut by another process");
  } catch (cause) {
    await handle?.close();
    throw unwritable(file, cause);
  }
}

function journalOn(handle: FileHandle, { folder, clock = systemClock }: FileJournalOptions, start: Start): Journal {
  const file = journalFile(folder);
  const appender = new Appender({
    file,
    handle,
    write: (bytes, at) => writeSync(handle.fd, bytes, at),
    sizeNow: () => sizeOf(file, handle.fd),
    size: start.goodBytes,
    blobFolder: blobFolder(folder),
    knownBlobs: start.blobs,
  });
  const { contents, add } = journalContents(start.entries);
  const known: KnownTexts = new Map();
  let { lastHash } = start;
  let lastSeq = start.entries.length;

  return {
    ...contents,
    async append(body, { sync, written: show }) {
      const json = JSON.stringify({ seq: lastSeq + 1, at: clock.now(), ...body });
      const parsed: Entry = JSON.parse(json);
      const stored = extract(parsed, json);
      const entry = stored.blobs.length === 0 ? parsed : withKnown(parsed, known);
      const { line, hash } = encodeLine(stored.json, lastHash);
      lastSeq = entry.seq;
      lastHash = hash;
      const trouble: unknown[] = [];
      const written = (): void => {
        add(entry);
        try {
          show?.(entry);
        } catch (error) {
          // It is no fault of the disk's.
          trouble.push(error);
        }
      };
      await appender.append({ line, blobs: stored.blobs, sync, written });
      if (trouble.length > 0) throw trouble[0];
      return entry;
    },
    close: () => appender.close(),
  };
}

function sizeOf(file: string, fd: number): number | undefined {
  const own = fstatSync(fd);
  try {
    const there = statSync(file);
    return there.ino === own.ino && there.dev === own.dev ? own.size : undefined;
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

type Start = Pick<Scan, "entries" | "goodBytes" | "lastHash" | "blobs">;
