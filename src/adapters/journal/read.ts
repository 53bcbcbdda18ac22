// Reads a journal without touching it. Kept apart from what writes one: whoever only looks loads nothing of that.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Journal } from "../../ports/journal.ts";
import { reasonOf } from "../files/present.ts";
import { JournalFailure } from "./failure.ts";
import { scanJournal } from "./scan.ts";

/** Nothing is repaired: a live runner may be in the middle of a line. */
export async function readFileJournal(folder: string): Promise<Pick<Journal, "entries">> {
  const file = journalFile(folder);
  const { entries } = await scanJournal(file, await readBytes(file));
  return { entries };
}

export const journalFile = (folder: string): string => join(folder, "journal.jsonl");

export async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    const message = `There is no run to read: ${reasonOf(cause)}. Start one: superteam run`;
    throw new JournalFailure("unreadable", file, message, { cause });
  }
}
