// Branches of runs that were split off: each begins at a commit of its own, and the tree is switched to it as by the
// person, with their hooks. See src/ports/repo.ts for what each verb promises.

import type { Head } from "../../../../core/flow/repository.ts";
import type { Branches, RunCommit } from "../../../../ports/repo.ts";
import { isAncestor } from "../commit/refusal.ts";
import { git, tryGit } from "../process/run.ts";
import { askHead } from "./checkout.ts";

export function branchesOf(root: string): Branches {
  return {
    free: (wanted) => freeBranch(root, wanted),
    tip: (branch) => tipOf(root, branch),
    isCommit: async (sha) => (await tryGit(root, ["cat-file", "-e", `${sha}^{commit}`])).code === 0,
    make: async (branch, sha) => void (await git(root, ["branch", "--no-track", branch, sha])),
    switchTo: (head) => switchTo(root, head),
    findInHistory: (commit) => findInHistory(root, commit),
  };
}

async function freeBranch(root: string, wanted: string): Promise<string> {
  const name = await asPossible(root, wanted);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await isTaken(root, candidate))) return candidate;
  }
}

async function tipOf(root: string, branch: string): Promise<string | undefined> {
  const answer = await tryGit(root, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return answer.code === 0 ? answer.out.trim() : undefined;
}

async function switchTo(root: string, { sha, branch }: Head): Promise<string | undefined> {
  const target = branch === null ? ["--detach", sha] : ["--no-guess", branch];
  const { said } = await tryGit(root, ["switch", "--quiet", ...target], { as: "person" });
  // A hook that fails after the switch has been made undoes nothing.
  const now = await askHead(root);
  const isThere = branch === null ? now.branch === null && now.sha === sha : now.branch === branch;
  return isThere ? undefined : said.trim() || "git switch did not say why";
}

/** A commit that was rebased, amended or picked has another name, but still says which run it is from. */
async function findInHistory(root: string, { sha, run }: RunCommit): Promise<string | undefined> {
  if (await isAncestor(root, sha, "HEAD")) return sha;
  const named = ["--fixed-strings", `--grep=Superteam-Run: ${run}`];
  const found = (await git(root, ["log", "-1", "--format=%H", ...named, "HEAD", "--"])).trim();
  return found === "" ? undefined : found;
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
