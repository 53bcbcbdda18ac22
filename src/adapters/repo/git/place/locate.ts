// Finds the working tree a folder belongs to, or says why superteam cannot work there and what to do about it.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { GitFolders } from "../../../files/git-folders.ts";
import { ownFile } from "../process/paths.ts";
import { type GitAnswer, GitMissing, tryGit } from "../process/run.ts";
import { whyNotNow } from "./operation.ts";

export type WorkingTree = Required<GitFolders>;

export interface RepoProblem {
  readonly kind:
    | "git-missing"
    | "git-too-old"
    | "no-such-folder"
    | "not-a-repository"
    | "not-trusted"
    | "bare"
    | "inside-git-folder"
    | "line-break"
    | "no-commits"
    | "detached";
  /** What is wrong and what to do now. */
  readonly message: string;
}

export type Located =
  | { readonly found: true; readonly place: WorkingTree }
  /** A tree is there, and no run could work in it. */
  | { readonly found: false; readonly problem: RepoProblem; readonly place?: WorkingTree };

export async function locate(folder: string): Promise<Located> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    return problem("no-such-folder", `There is no folder ${resolve(folder)}. Go to a git repository and try again.`);
  try {
    const [version, seen] = await Promise.all([tryGit(folder, ["--version"]), look(folder)]);
    return tooOld(version.out) ?? judge(folder, seen);
  } catch (error) {
    if (error instanceof GitMissing) return problem("git-missing", error.message);
    throw error;
  }
}

const oldestGit = [2, 39] as const;

function tooOld(version: string): Located | undefined {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  // git said nothing, because it may not enter the folder: the other answer says why.
  if (major === undefined) return undefined;
  const behind = Number(major) - oldestGit[0] || Number(minor) - oldestGit[1];
  if (behind >= 0) return undefined;
  const needed = oldestGit.join(".");
  return problem("git-too-old", `superteam needs git ${needed} or newer, and this is ${version.trim()}. Update git.`);
}

/** git prints the answers one by one and stops at the first that it does not have. */
function look(folder: string): Promise<GitAnswer> {
  const questions = ["--is-bare-repository", "--is-inside-work-tree", "--git-dir", "--git-common-dir"];
  const position = ["--show-toplevel", "HEAD", "--symbolic-full-name", "HEAD"];
  return tryGit(folder, ["rev-parse", "--path-format=absolute", ...questions, ...position]);
}

/** One in a line, and the end of the last. */
const answers = 8;

/** There may be nothing to add yet. */
const firstCommit = "git add -A && git commit --allow-empty -m start";

function judge(folder: string, seen: GitAnswer): Located {
  const lines = Buffer.from(seen.out, "latin1").toString("utf8").split("\n");
  const [bare, inside, gitDir = "", commonDir = "", root = "", sha = "", branch = ""] = lines;
  if (/dubious ownership/.test(seen.said)) {
    return problem("not-trusted", `git does not trust the owner of ${resolve(folder)}. It says: ${seen.said.trim()}`);
  }
  if (/^fatal: cannot change to .*: Permission denied/.test(seen.said)) {
    const place = resolve(folder);
    return problem(
      "no-such-folder",
      `You may not enter ${place}. Give yourself the right to, then try again: chmod u+rwx ${place}`,
    );
  }
  if (bare === undefined || bare === "") {
    const next = afterDamage(folder) ?? `Go to one, or make one: git init && ${firstCommit}`;
    return problem("not-a-repository", `${resolve(folder)} is not in a git repository. ${next}`);
  }
  if (bare === "true") {
    const next = "Clone it and work in the clone, or add a worktree: git worktree add ../work";
    return problem("bare", `${resolve(folder)} is a bare repository, without files to work on. ${next}`);
  }
  if (inside !== "true") {
    return problem(
      "inside-git-folder",
      `${resolve(folder)} is git's own folder. Go to the folder that your files are in.`,
    );
  }
  if (seen.code !== 0) {
    const next =
      afterDamage(root) ?? `Make the first commit, so that superteam has a state to go back to: ${firstCommit}`;
    return problem("no-commits", `The repository in ${root} has no commits yet. ${next}`);
  }
  if (lines.length > answers)
    return problem("line-break", `The path of ${resolve(folder)} or of its .git has a line break. Rename that folder.`);
  const place = { root, gitDir, commonDir };
  return branch === "HEAD" ? { ...problem("detached", whyDetached(place, sha)), place } : { found: true, place };
}

/** A run that has begun had a repository with commits: nobody is to make another one. */
function afterDamage(folder: string): string | undefined {
  if (!existsSync(join(folder, ownFile))) return undefined;
  return `But ${ownFile} says that a run has begun here, so its .git was moved, removed or damaged. Restore it, from where it was moved or from a backup, then: superteam resume`;
}

/** In the middle of a rebase git switches to no branch. */
function whyDetached(place: WorkingTree, sha: string): string {
  const next = "Make one here (git switch -c <name>) or go to one (git switch <branch>).";
  return (
    whyNotNow(place, "no run can work here") ??
    `HEAD is detached at ${sha.slice(0, 10)} in ${place.root}: commits need a branch. ${next}`
  );
}

function problem(kind: RepoProblem["kind"], message: string): Located {
  return { found: false, problem: { kind, message } };
}
