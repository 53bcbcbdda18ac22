// What the person has not committed.

import { hiddenPaths, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";

export interface Uncommitted {
  /** Tracked files with changes, staged or not. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
}

/** The person's uncommitted changes; superteam's own files and the run's documents are not theirs. */
export async function readUncommitted(root: string, documents: readonly string[]): Promise<Uncommitted> {
  const isHidden = hiddenPaths(documents);
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
  const lines = (await git(root, args)).split("\0").filter((line) => line !== "" && !isHidden(line.slice(3)));
  const pathsOf = (some: readonly string[]): readonly string[] => some.map((line) => toText(line.slice(3)));
  return {
    tracked: pathsOf(lines.filter((line) => !line.startsWith("??"))),
    untracked: pathsOf(lines.filter((line) => line.startsWith("??"))),
  };
}
