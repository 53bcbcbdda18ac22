// Takes the lease of a working tree, and looks first whether a run could write there at all.

import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Leasing } from "../../ports/runs.ts";
import type { GitFolders } from "../files/git-folders.ts";
import { identify, whatBecameOf } from "../files/git-identity.ts";
import { sweepOwnFolder, sweepTemporary } from "../files/own-folder.ts";
import { takeLock } from "./lock.ts";

/** The holder of the lease writes to the tree too. */
export async function lease(folders: GitFolders, lock: string, runId: string): Promise<Leasing> {
  const { root, gitDir, commonDir } = folders;
  for (const folder of [root ?? gitDir, gitDir, commonDir]) await refuseUnwritable(folder);
  const locking = await takeLock(lock, runId, Date.now());
  if (!locking.taken) return locking;
  const { owner, isOurs, release } = locking.lease;
  const temporary = join(gitDir, "superteam", "tmp");
  await sweepTemporary(temporary);
  const begun = identify(folders);
  const replaced = (): Promise<string | undefined> => whatBecameOf(begun);
  const { lost, stop } = watchLock(isOurs, replaced);
  return {
    taken: true,
    lease: {
      owner,
      lost,
      replaced,
      async release() {
        stop();
        // What is there now is not ours.
        if ((await replaced()) !== undefined) return await sweepOwnFolder(root ?? gitDir);
        await sweepTemporary(temporary);
        await release();
      },
    },
  };
}

const watchMs = 1000;

const replacedText = "Git's folder was moved, removed or replaced while the run was at work, so it stops.";
const lostText =
  "The lock of this tree is gone or another process holds it, so this process stops. superteam status shows who is at work.";

/**
 * Nobody takes the lock of a process that is alive, but a person can remove the file, and a folder on a network can go back in
 * time. What cannot be read right now is not lost.
 */
function watchLock(
  isOurs: () => Promise<boolean>,
  replaced: () => Promise<string | undefined>,
): { readonly lost: AbortSignal; readonly stop: () => void } {
  const loss = new AbortController();
  let isWatched = true;
  const look = async (): Promise<void> => {
    const what = await replaced();
    if ((what === undefined && (await isOurs().catch(() => true))) || !isWatched) return;
    stop();
    loss.abort(what === undefined ? lostText : replacedText);
  };
  const timer = setInterval(look, watchMs).unref();
  const stop = (): void => {
    isWatched = false;
    clearInterval(timer);
  };
  return { lost: loss.signal, stop };
}

/** A run writes to the tree and to git's folder: better told before it starts than by its first agent. */
async function refuseUnwritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch((cause: Error) => {
    const message = `${folder} cannot be written to (${cause.message}), and a run has to. Make it writable for you, or work in a clone of it.`;
    throw new OutsideFailure("unwritable", message, { cause });
  });
}
