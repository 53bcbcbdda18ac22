// Places of their own for parts of a run: worktrees outside of the person's tree, so that no test runner or watcher of theirs
// finds them, with what a build needs in them.

import { realpath, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type PlaceId, startPlace } from "../../core/flow/flow.ts";
import type { Anchor } from "../../core/flow/repository.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Place, Places } from "../../ports/place.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readIfPresent } from "../files/present.ts";
import { type Furnishing, furnish } from "./furnish.ts";
import { isIn } from "./is-in.ts";

export interface WorktreeOptions {
  /** The working tree that the run was started in. */
  readonly tree: Place;
  /** The folder for the places of this run. */
  readonly folder: () => Promise<string>;
  readonly worktrees: {
    add(folder: string, from: Anchor): Promise<void>;
    remove(folder: string): Promise<void>;
    gitDirOf(folder: string): Promise<string | undefined>;
  };
  readonly furnishing: (signal: AbortSignal) => Promise<Furnishing>;
  readonly placeAt: (root: string) => Promise<Place>;
}

export function worktreePlaces(options: WorktreeOptions): Places {
  const { tree, worktrees, placeAt } = options;
  const known = new Map<PlaceId, Promise<Place>>();
  return {
    async at(id) {
      if (id === startPlace) return tree;
      const place = known.get(id) ?? placeAt(id);
      known.set(id, place);
      return place;
    },
    open: (name, from, signal) => open(options, { name, from, signal }),
    async close(id) {
      if (id === startPlace) return;
      known.delete(id);
      await worktrees.remove(id);
      // As long as there are others in it, it stays.
      await rmdir(dirname(id)).catch(unlessInUse);
    },
  };
}

function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code ?? "")) throw error;
}

interface PlaceOrder {
  readonly name: string;
  readonly from: Anchor;
  readonly signal: AbortSignal;
}

/** The id of a place is its folder. Only a complete one says what it was made from: superteam may be killed at any time before. */
async function open({ tree, folder, worktrees, furnishing }: WorktreeOptions, { name, from, signal }: PlaceOrder) {
  const above = await folder();
  const root = await realpath(tree.root);
  if (isIn(above, root)) throw new OutsideFailure("configuration", insideText(above));
  await makeFolder(above, "Set worktree.folder in your configuration to a writable folder.");
  const path = join(await realpath(above), name.replaceAll(/[^\w.-]+/g, "-"));
  if (isIn(path, root)) throw new OutsideFailure("configuration", insideText(path));
  const gitDir = await worktrees.gitDirOf(path);
  if (gitDir !== undefined && (await madeFrom(gitDir)) === from.tree) return path;
  await worktrees.add(path, from);
  await furnish({ from: root, to: path }, await furnishing(signal));
  const made = await worktrees.gitDirOf(path);
  if (made !== undefined) await writeFile(readyIn(made), from.tree);
  return path;
}

const readyIn = (gitDir: string): string => join(gitDir, "superteam-ready");

function madeFrom(gitDir: string): Promise<string | undefined> {
  return readIfPresent(readyIn(gitDir));
}

const insideText = (path: string): string =>
  `${path} is inside the repository: tests there would pick up your packages, and your tools would pick up the worktree. Set worktree.folder to a folder outside.`;
