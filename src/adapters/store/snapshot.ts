// .superteam-workflow.json: what the active run looks like, for people and other tools. It is a projection: the journal
// is the truth, and a snapshot that is missing or damaged is rebuilt from it.

import { existsSync } from "node:fs";
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../core/text/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { SnapshotFile, Warn } from "../../ports/documents.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import { moveAside, syncFolder, writeAtomically, writeWhole } from "../files/atomic.ts";
import { latestWriter } from "../files/latest-writer.ts";
import { ownFolder, sweepOwnFolder } from "../files/own-folder.ts";
import { ifPresent, readIfPresent } from "../files/present.ts";

export const snapshotName = ".superteam-workflow.json";

export interface SnapshotOptions {
  /** The working tree. */
  readonly root: string;
  readonly clock: Pick<Clock, "now">;
  readonly everyMs: number;
  readonly trouble: Warn;
}

export function snapshotFile({ root, clock, everyMs, trouble }: SnapshotOptions): SnapshotFile {
  const path = join(root, snapshotName);
  let looked = false;
  /** What an earlier life left there is looked at before it is replaced: a damaged one is kept. */
  const lookOnce = async (): Promise<void> => {
    if (looked) return;
    const isDamaged = !isObject(await readText(path));
    const aside = isDamaged ? await moveAside(path, clock.now()) : undefined;
    looked = true;
    if (aside !== undefined)
      trouble(`${snapshotName} was damaged: it was moved to ${aside} and rebuilt from the run's journal.`);
  };
  /** An agent can make a folder of that name, which no file replaces. */
  const makeRoom = async (): Promise<void> => {
    if ((await ifPresent(lstat(path)))?.isDirectory() !== true) return;
    trouble(`${snapshotName} was a folder: it was moved to ${await moveAside(path, clock.now())}.`);
  };
  const put = async (make: () => unknown, when: "soon" | "now"): Promise<number> => {
    // Whoever moved the tree could not move it back if there were another one.
    if (!existsSync(root)) return 0;
    await makeRoom();
    await lookOnce();
    const text = `${JSON.stringify(make(), null, 2)}\n`;
    // A sync in the middle of the work would have the journal's own wait for it.
    const replace = when === "soon" ? writeWhole : writeAtomically;
    await replace(path, text, await ownFolder(root));
    return text.length;
  };
  const remove = async (): Promise<void> => {
    await makeRoom();
    await rm(path, { force: true });
    await sweepOwnFolder(root);
    await syncFolder(root);
  };
  const { update, write, drop } = latestWriter({ everyMs, put, trouble });
  return { update, write, remove: () => drop(remove) };
}

/** An empty object for a file that is not there. */
async function readText(path: string): Promise<string> {
  try {
    return (await readIfPresent(path)) ?? "{}";
  } catch (cause) {
    const message = `${path} could not be read (${reasonOf(cause)}). Remove it or make it readable, then try again.`;
    throw new OutsideFailure("unreadable", message, { cause });
  }
}

function isObject(text: string): boolean {
  const json = parseJson(text);
  return json.ok && typeof json.value === "object" && json.value !== null && !Array.isArray(json.value);
}
