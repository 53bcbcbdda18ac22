// The runs of the repository a folder is in, for those who only look. git is asked only where files alone do not say.

import { findGitFolders } from "../../adapters/files/git-folders.ts";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import type { Runs } from "../../ports/runs.ts";

/** Throws git's own message when there is no working tree. */
export async function runsAt(folder: string): Promise<Runs> {
  return fileRuns((await findGitFolders(folder)) ?? (await (await import("./tree-at.ts")).treeAt(folder)));
}
