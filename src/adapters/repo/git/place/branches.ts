// Branches of runs that were split off: each begins at a commit of its own, and the tree is switched to it as by the
// person, with their hooks.

import type { Head } from "../../../../core/flow/repository.ts";
import { git, tryGit } from "../process/run.ts";
import { readHead } from "./checkout.ts";

/** `wanted`, or that name with a number where it is taken. */
export async function freeBranch(root: string, wanted: string): Promise<string> {
  const name = await asPossible(root, wanted);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await isTaken(root, candidate))) return candidate;
  }
}

/** Where a branch stands; undefined when there is none. */
export async function tipOf(root: string, branch: string): Promise<string | undefined> {
  const answer = await tryGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return answer.code === 0 ? answer.out.trim() : undefined;
}

export async function isCommit(root: string, sha: string): Promise<boolean> {
  return (await tryGit(root, ["cat-file", "-e", `${sha}^{commit}`])).code === 0;
}

/** Makes the branch, at this commit. */
export async function makeBranch(root: string, branch: string, sha: string): Promise<void> {
  await git(root, ["branch", "--no-track", branch, sha]);
}

/** Makes the tree that of a branch, or of a commit without one. Gives what git said when it could not. */
export async function switchTo(root: string, { sha, branch }: Head): Promise<string | undefined> {
  const target = branch === null ? ["--detach", sha] : ["--no-guess", branch];
  const { said } = await tryGit(root, ["switch", "--quiet", ...target], { as: "person" });
  // A hook that fails after the switch has been made undoes nothing.
  const now = await readHead(root);
  const isThere = branch === null ? now.branch === null && now.sha === sha : now.branch === branch;
  return isThere ? undefined : said.trim() || "git switch did not say why";
}

/** Below a name that is a branch itself there can be no other. */
async function asPossible(root: string, wanted: string): Promise<string> {
  const parts = wanted.split("/");
  for (let length = 1; length < parts.length; length++) {
    const above = await tipOf(root, parts.slice(0, length).join("/"));
    if (above !== undefined) return parts.join("-");
  }
  return wanted;
}

/** Also when branches lie below that name. */
async function isTaken(root: string, branch: string): Promise<boolean> {
  return (await git(root, ["for-each-ref", "--count=1", `refs/heads/${branch}`])).trim() !== "";
}
