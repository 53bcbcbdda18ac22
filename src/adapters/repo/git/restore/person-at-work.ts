// Signs that the person has worked in the tree since the agents were gone (E3). Undoing would then undo their work too.
//
// A commit is a sign when it is on top of the anchor and was made more than a second after the agents were gone, even when
// it changes no file, as when the person commits what was there before. A file is a sign when it differs from the anchor and
// changed more than a second after the agents were gone; for a deleted file the time of its folder counts. So is what is staged, when
// it differs and the index was written later. Folders that
// superteam itself writes into (the root, those of the documents) say nothing: they change without a person.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type Anchor, type Head, stagedIn } from "../../../../core/flow/repository.ts";
import { dateTime } from "../../../../core/text/format.ts";
import { commitAfter } from "../commit/others-commits.ts";
import { branchName, isAncestor } from "../commit/refusal.ts";
import { type Checkout, readHead } from "../place/checkout.ts";
import { operationIn } from "../place/operation.ts";
import { type BytePath, foldersAbove, onDisk, toText } from "../process/paths.ts";
import { compare } from "../tree/compare.ts";
import { conflictsIn } from "../tree/conflicts.ts";
import type { Difference } from "../tree/trees.ts";

/** Clocks of file systems are coarse, and the last moments of a process are hard to date. */
const slackMs = 1000;

/** One sentence, or undefined when there is no sign. */
export async function personAtWork(
  checkout: Checkout,
  documents: readonly BytePath[],
  since: { readonly anchor: Anchor; readonly goneAt: number },
): Promise<string | undefined> {
  const { anchor, goneAt } = since;
  const head = await readHead(checkout);
  const moved = await headMoved(checkout.root, anchor, head);
  if (moved !== undefined) return moved;
  const committed = await commitAfter(checkout.root, anchor, goneAt + slackMs);
  if (committed !== undefined) return committed;

  const operation = await operationAfter(checkout, goneAt + slackMs);
  if (operation !== undefined) return operation;

  const ownFolders = new Set(documents.flatMap((path) => [...foldersAbove(path)].slice(0, 1)));
  const { differences, index } = await compare(checkout, anchor, "untracked");
  for (const difference of differences) {
    const time = await lastChange(checkout.root, difference, ownFolders);
    if (time === undefined || time <= goneAt + slackMs) continue;
    const at = dateTime(time);
    return `${toText(difference.path)} was ${difference.change} at ${at}, after the last agent was gone.`;
  }
  return await stagedAfter(checkout, { anchor, index: index ?? (await conflictsIn(checkout, head)) }, goneAt + slackMs);
}

/** No entry has a time of its own, so that of the index counts where it holds something else. */
async function stagedAfter(
  { gitDir }: Checkout,
  { anchor, index }: { readonly anchor: Anchor; readonly index: string },
  moment: number,
): Promise<string | undefined> {
  if (index === (stagedIn(anchor) ?? index)) return undefined;
  const seen = await lstat(join(gitDir, "index")).catch(() => undefined);
  if (seen === undefined || seen.mtimeMs <= moment) return undefined;
  return `What is staged was changed at ${dateTime(seen.mtimeMs)}, after the last agent was gone.`;
}

/** Whoever goes back to the anchor ends it. */
async function operationAfter(checkout: Checkout, moment: number): Promise<string | undefined> {
  const operation = operationIn(checkout);
  if (operation === undefined) return undefined;
  const { mtimeMs } = await lstat(join(checkout.gitDir, operation.file));
  if (mtimeMs <= moment) return undefined;
  return `${operation.name} was started at ${dateTime(mtimeMs)}, after the last agent was gone; going back ends it.`;
}

async function headMoved(root: string, anchor: Anchor, head: Head): Promise<string | undefined> {
  if (head.branch !== anchor.branch) return `HEAD was on ${branchName(anchor)} and is on ${branchName(head)} now.`;
  if (await isAncestor(root, anchor.sha, head.sha)) return undefined;
  return `${branchName(head)} no longer contains ${anchor.sha.slice(0, 10)}, the commit that the work started from.`;
}

async function lastChange(
  root: string,
  { path, change }: Difference,
  ownFolders: ReadonlySet<BytePath>,
): Promise<number | undefined> {
  if (change !== "deleted") {
    const seen = await lstat(onDisk(root, path)).catch(() => undefined);
    return seen && Math.max(seen.mtimeMs, seen.ctimeMs);
  }
  for (const folder of foldersAbove(path)) {
    const seen = await lstat(onDisk(root, folder)).catch(() => undefined);
    if (seen !== undefined) return ownFolders.has(folder) ? undefined : seen.mtimeMs;
  }
  return undefined;
}
