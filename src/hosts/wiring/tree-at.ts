// The working tree a folder is in, according to git.

import { locate, type WorkingTree } from "../../adapters/repo/git/place/locate.ts";
import { Problem } from "../../runs/problem.ts";

/** Throws a Problem with git's reasons if the folder is in no working tree. */
export async function treeAt(folder: string): Promise<WorkingTree> {
  const located = await locate(folder);
  if (located.found) return located.place;
  throw new Problem(located.problem.message, "not-possible");
}

/** Also where no run could work, such as with a detached HEAD: to end one, or to clear away. */
export async function anyTreeAt(folder: string): Promise<WorkingTree> {
  const located = await locate(folder);
  if (located.found) return located.place;
  if (located.place !== undefined) return located.place;
  throw new Problem(located.problem.message, "not-possible");
}
