// A working tree of its own for a place: git's worktrees, without a branch, so that nothing of the person's moves.

import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Anchor } from "../../../../core/flow/repository.ts";
import { reasonOf } from "../../../../ports/failure.ts";
import { git, tryGit } from "../process/run.ts";
import { bringSubmodules } from "./submodules.ts";

export interface WorktreeMaker {
  /** The anchor's files in this folder, with its commit as HEAD. Whatever was there is removed. */
  add(folder: string, from: Anchor): Promise<void>;
  /** One that is gone already is fine. */
  remove(folder: string): Promise<void>;
  /** Every one in a folder of this name, wherever that is, with the folder. */
  removeIn(name: string): Promise<void>;
  /** The worktree's own git folder: in no tree. Undefined where there is none. */
  gitDirOf(folder: string): Promise<string | undefined>;
}

export function worktreesOf(root: string): WorktreeMaker {
  return {
    async add(folder, from) {
      await remove(root, folder);
      await git(root, ["worktree", "add", "--quiet", "--force", "--detach", "--no-checkout", folder, from.sha]);
      // The files that were there, committed or not; then the index is the commit's, as it is in any tree.
      await git(folder, ["read-tree", "--reset", "-u", from.tree]);
      await bringSubmodules(root, folder);
      await git(folder, ["read-tree", "--reset", from.sha]);
    },
    remove: (folder) => remove(root, folder),
    async removeIn(name) {
      const { out } = await tryGit(root, ["worktree", "list", "--porcelain"]);
      const folders = [...out.matchAll(/^worktree (.+)$/gm)].map(([, folder = ""]) => folder);
      const own = folders.filter((folder) => basename(dirname(folder)) === name);
      for (const folder of own) await remove(root, folder);
      for (const above of new Set(own.map((folder) => dirname(folder))))
        await rm(above, { recursive: true, force: true });
    },
    async gitDirOf(folder) {
      const { code, out } = await tryGit(folder, ["rev-parse", "--show-toplevel", "--absolute-git-dir"]).catch(() => ({
        code: 1,
        out: "",
      }));
      const [top, gitDir] = out.split("\n");
      return code === 0 && top === folder ? gitDir : undefined;
    },
  };
}

/** Why no worktree can be made there; undefined when it can. One is made, without its files, and removed again. */
export async function troubleWithWorktrees(root: string, folder: string): Promise<string | undefined> {
  try {
    await git(root, ["worktree", "add", "--quiet", "--detach", "--no-checkout", folder, "HEAD"]);
    await remove(root, folder);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Only this one: git's own prune also forgets worktrees of the person whose disk is not there right now. */
async function remove(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await tryGit(root, ["worktree", "remove", "--force", "--force", folder]);
}
