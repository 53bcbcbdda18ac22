// What the person has not committed.

import type { Uncommitted } from "../../../../ports/repo.ts";
import { hiddenPaths, toText } from "../process/paths.ts";
import { git } from "../process/run.ts";

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
