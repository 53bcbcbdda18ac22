// The working tree a command is about, its run store, and the run that is active in it.

import { access, constants } from "node:fs/promises";
import { locate, type WorkingTree } from "../adapters/repo/git/place/locate.ts";
import { type RunStore, runStore } from "../adapters/store/runs.ts";
import { exitCodes, Problem } from "./problem.ts";

export interface Tree {
  readonly place: WorkingTree;
  readonly store: RunStore;
}

export async function openTree(folder: string): Promise<Tree> {
  const located = await locate(folder);
  if (!located.found) throw new Problem(located.problem.message, exitCodes.notPossibleHere);
  return { place: located.place, store: runStore(located.place) };
}

/** The id of the active run; a Problem that says how to start one when there is none. */
export async function activeRun({ store }: Tree): Promise<string> {
  const runId = await store.readActive();
  if (runId !== undefined) return runId;
  throw new Problem('No run is active in this tree. Start one: superteam run "<what to build>"', exitCodes.wrongUsage);
}

/** A run writes to the tree and to git's folder: better told before it starts than by its first agent. */
export async function refuseUnwritable({ place }: Tree): Promise<void> {
  for (const folder of [place.root, place.gitDir, place.commonDir]) {
    await access(folder, constants.W_OK).catch((cause: Error) => {
      throw new Problem(
        `${folder} cannot be written to (${cause.message}), and a run has to. Make it writable for you, or work in a clone of it.`,
        exitCodes.notPossibleHere,
      );
    });
  }
}
