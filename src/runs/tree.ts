// The working tree a command is about, its run store, and the run that is active in it.

import { access, constants } from "node:fs/promises";
import { sweepOwnFolder } from "../adapters/files/own-folder.ts";
import { locate, type WorkingTree } from "../adapters/repo/git/place/locate.ts";
import { takeLock } from "../adapters/store/lock.ts";
import { type RunStore, runStore } from "../adapters/store/runs.ts";
import { Problem } from "./problem.ts";

export interface Tree {
  readonly place: WorkingTree;
  readonly store: RunStore;
}

export async function openTree(folder: string): Promise<Tree> {
  const located = await locate(folder);
  if (!located.found) throw new Problem(located.problem.message, "not-possible");
  return { place: located.place, store: runStore(located.place) };
}

/** The id of the active run; a Problem that says how to start one when there is none. */
export async function activeRun({ store }: Tree): Promise<string> {
  const runId = await store.readActive();
  if (runId !== undefined) return runId;
  throw new Problem('No run is active in this tree. Start one: superteam run "<what to build>"', "wrong-usage");
}

/** One runner per working tree. */
export async function locked<T>(tree: Tree, runId: string, act: () => Promise<T>): Promise<T> {
  await refuseUnwritable(tree);
  const locking = await takeLock(tree.store.lock, runId, Date.now());
  if (!locking.taken) throw new Problem(locking.message, "not-possible");
  try {
    await sweepOwnFolder(tree.place.root);
    return await act();
  } finally {
    await sweepOwnFolder(tree.place.root);
    await locking.lock.release();
  }
}

/** A run writes to the tree and to git's folder: better told before it starts than by its first agent. */
async function refuseUnwritable({ place }: Tree): Promise<void> {
  for (const folder of [place.root, place.gitDir, place.commonDir]) {
    await access(folder, constants.W_OK).catch((cause: Error) => {
      throw new Problem(
        `${folder} cannot be written to (${cause.message}), and a run has to. Make it writable for you, or work in a clone of it.`,
        "not-possible",
      );
    });
  }
}
