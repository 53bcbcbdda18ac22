// Finds a working tree's git folders by looking at files alone: starting git would take most of the time that
// `superteam status` has. What it does not recognise is left to git.

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ifPresent, readIfPresent, withoutWaiting } from "./present.ts";

/** Absolute, as `git rev-parse --path-format=absolute` says them. The two differ in a linked worktree. */
export interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
  /** The working tree itself: not known to those who only look. */
  readonly root?: string;
}

export async function findGitFolders(folder: string): Promise<GitFolders | undefined> {
  const start = await ifPresent(stat(folder));
  return start?.isDirectory() ? lookUpward(resolve(folder)) : undefined;
}

async function lookUpward(folder: string): Promise<GitFolders | undefined> {
  const gitDir = await gitDirIn(folder);
  if (gitDir !== undefined) return { gitDir, commonDir: await commonDirOf(gitDir) };
  return dirname(folder) === folder ? undefined : lookUpward(dirname(folder));
}

/** `.git` is the folder itself, or in a linked worktree a file that names it. */
async function gitDirIn(root: string): Promise<string | undefined> {
  const path = join(root, ".git");
  const seen = await ifPresent(stat(path));
  if (seen === undefined) return undefined;
  const named = seen.isDirectory()
    ? path
    : /^gitdir: (.+)$/m.exec(await readFile(path, { encoding: "utf8", flag: withoutWaiting }))?.[1];
  if (named === undefined) return undefined;
  const gitDir = resolve(root, named);
  return (await readIfPresent(join(gitDir, "HEAD"))) === undefined ? undefined : gitDir;
}

/** A linked worktree has a folder of its own and shares the rest. */
async function commonDirOf(gitDir: string): Promise<string> {
  return resolve(gitDir, ((await readIfPresent(join(gitDir, "commondir"))) ?? ".").trim());
}
