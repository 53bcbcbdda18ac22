// Whether the work of a run is part of what is checked out.

import type { RunCommit } from "../../../../ports/repo.ts";
import { git } from "../process/run.ts";
import { isAncestor } from "./refusal.ts";

/**
 * The commit as it is in HEAD's history by now; undefined when it is not there. One that was rebased, amended or picked
 * has another name, but still says which run it is from.
 */
export async function findInHistory(root: string, { sha, run }: RunCommit): Promise<string | undefined> {
  if (await isAncestor(root, sha, "HEAD")) return sha;
  const named = ["--fixed-strings", `--grep=Superteam-Run: ${run}`];
  const found = (await git(root, ["log", "-1", "--format=%H", ...named, "HEAD", "--"])).trim();
  return found === "" ? undefined : found;
}
