// .superteam-workflow.json: what the active run looks like, for people and other tools. It is a projection: the journal
// is the truth, and a snapshot that is missing or damaged is made anew from it.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { moveAside, syncFolder, writeAtomically } from "../files/atomic.ts";
import { ownFolder, sweepOwnFolder } from "../files/own-folder.ts";
import { readIfPresent } from "../files/present.ts";

export const snapshotName = ".superteam-workflow.json";

export type SnapshotReading =
  | { readonly found: "nothing" }
  | { readonly found: "snapshot"; readonly value: Readonly<Record<string, unknown>> }
  /** It was damaged and has been moved aside; the message says where. */
  | { readonly found: "damaged"; readonly message: string };

/** Reads the snapshot of a working tree. One that is no JSON object is moved aside, so that nothing overwrites it. */
export async function readSnapshot(root: string, now: number): Promise<SnapshotReading> {
  const path = join(root, snapshotName);
  const text = await readText(path);
  if (text === undefined) return { found: "nothing" };
  const value = parseObject(text);
  if (value) return { found: "snapshot", value };
  return { found: "damaged", message: await quarantineSnapshot(root, now) };
}

/** Moves the snapshot aside, for those who find that its content makes no sense. Says where it is now. */
export async function quarantineSnapshot(root: string, now: number): Promise<string> {
  const aside = await moveAside(join(root, snapshotName), now);
  return `${snapshotName} was damaged: it was moved to ${aside} and is made anew from the run's journal.`;
}

export async function writeSnapshot(root: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  await writeAtomically(join(root, snapshotName), text, await ownFolder(root));
}

export async function removeSnapshot(root: string): Promise<void> {
  await rm(join(root, snapshotName), { force: true });
  await sweepOwnFolder(root);
  await syncFolder(root);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    const message = `${path} could not be read (${reasonOf(cause)}). Remove it or make it readable, then try again.`;
    throw new OutsideFailure("unreadable", message, { cause });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
