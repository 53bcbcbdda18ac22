// Submodules of a worktree: git leaves their folders empty there.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ifPresent } from "../../../files/present.ts";
import { toText } from "../process/paths.ts";
import { git, tryGit } from "../process/run.ts";

/** Clones those that the person has, at the commits that the worktree's index names. They share the objects, and write none there. */
export async function bringSubmodules(from: string, to: string): Promise<void> {
  if ((await ifPresent(lstat(join(to, ".gitmodules")))) === undefined) return;
  const staged = await git(to, ["ls-files", "--stage", "-z"]);
  for (const [, sha = "", path = ""] of staged.matchAll(/(?<=^|\0)160000 ([0-9a-f]+) 0\t([^\0]+)/g)) {
    const [theirs, own] = [join(from, toText(path)), join(to, toText(path))];
    if (!(await isRepository(theirs))) continue;
    await git(to, ["clone", "--quiet", "--shared", "--no-checkout", "--template=", theirs, own]);
    await git(own, ["checkout", "--quiet", "--detach", sha]);
    await bringSubmodules(theirs, own);
  }
}

/** Also where git would go on to the repository around it: the person may have left a submodule out. */
async function isRepository(folder: string): Promise<boolean> {
  if ((await ifPresent(lstat(folder))) === undefined) return false;
  const { code, out } = await tryGit(folder, ["rev-parse", "--show-toplevel"]);
  return code === 0 && toText(out.trim()) === folder;
}
