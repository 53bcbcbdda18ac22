// Signs that the person has worked in the tree since the agents were gone (E3). Undoing would then undo their work too.

import type { Anchor } from "../../../src/core/flow/repository.ts";
import { dateTime } from "../../../src/core/text/format.ts";
import { branchName, describe } from "./commit.ts";
import { compare } from "./compare.ts";
import type { Disk } from "./disk.ts";
import { commitsBetween, isAncestor } from "./history.ts";
import { foldersAbove } from "./paths.ts";
import { type Checkout, headOf, type Repository } from "./repository.ts";
import type { Difference } from "./trees.ts";

/** A sign has to be this much later than the last agent. */
const slackMs = 1000;

/** One sentence, or undefined when there is no sign. */
export function personAtWork(checkout: Checkout, anchor: Anchor, goneAt: number): string | undefined {
  const { repository } = checkout.clone;
  return (
    headMoved(repository, anchor) ??
    commitAfter(repository, anchor, goneAt + slackMs) ??
    fileAfter(checkout, anchor, goneAt + slackMs) ??
    stagedAfter(repository, anchor, goneAt + slackMs)
  );
}

function headMoved(repository: Repository, anchor: Anchor): string | undefined {
  const head = headOf(repository);
  if (head.branch !== anchor.branch) return `HEAD was on ${branchName(anchor)} and is on ${branchName(head)} now.`;
  if (isAncestor(repository, anchor.sha, head.sha)) return undefined;
  return `${branchName(head)} no longer contains ${anchor.sha.slice(0, 10)}, the commit that the work started from.`;
}

/** It is the end of a commit's second that must be later. */
function commitAfter(repository: Repository, anchor: Anchor, moment: number): string | undefined {
  const late = commitsBetween(repository, anchor.sha, "HEAD").find(({ at }) => at + 999 > moment);
  return late && `${describe(late)} was committed at ${dateTime(late.at)}, after the last agent was gone.`;
}

function fileAfter(checkout: Checkout, anchor: Anchor, moment: number): string | undefined {
  const ownFolders = new Set(checkout.documents.flatMap((path) => foldersAbove(path).slice(0, 1)));
  for (const difference of compare(checkout, anchor, "untracked").differences) {
    const time = lastChange(checkout.clone.repository.disk, difference, ownFolders);
    if (time === undefined || time <= moment) continue;
    return `${difference.path} was ${difference.change} at ${dateTime(time)}, after the last agent was gone.`;
  }
  return undefined;
}

/** No entry has a time of its own. */
function stagedAfter({ index, indexedAt }: Repository, anchor: Anchor, moment: number): string | undefined {
  if (index.hash === (anchor.index ?? index.hash) || indexedAt <= moment) return undefined;
  return `What is staged was changed at ${dateTime(indexedAt)}, after the last agent was gone.`;
}

/** Of a deleted file the time of its folder counts, unless superteam itself writes in there. */
function lastChange(disk: Disk, { path, change }: Difference, ownFolders: ReadonlySet<string>): number | undefined {
  if (change !== "deleted") return disk.files.get(path)?.at;
  const nearest = foldersAbove(path).find((folder) => disk.folders.has(folder) || disk.files.has(folder));
  if (nearest === undefined || ownFolders.has(nearest)) return undefined;
  return disk.folders.get(nearest) ?? disk.files.get(nearest)?.at;
}
