// A git that is killed leaves its lock behind, and an agent's git is killed with the agent. Such a lock is removed, but
// only when it can be shown that no git is at work in the repository: a person's commit holds one while its editor is open.

import { readdir, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { isStanding } from "./standing.ts";

/** A lock that git has just refused to wait for has been there at least this long. */
const ageMs = 1_500;

/** True when the lock was removed. Where processes cannot be seen nothing is. */
export async function removeOrphanedLock(root: string, lock: string): Promise<boolean> {
  const seen = await stat(lock).catch(() => undefined);
  if (seen === undefined) return true;
  if (Date.now() - seen.mtimeMs < ageMs || !(await noGitAtWork([root, dirname(lock)]))) return false;
  await rm(lock, { force: true });
  return true;
}

async function noGitAtWork(folders: readonly string[]): Promise<boolean> {
  const names = await readdir("/proc").catch(() => undefined);
  if (names === undefined) return false;
  const places = await Promise.all(folders.map((folder) => realpath(folder)));
  const pids = names.filter((name) => /^\d+$/.test(name) && !isStanding(Number(name)));
  const atWork = await Promise.all(pids.map((pid) => isGitIn(pid, places)));
  return !atWork.includes(true);
}

/** A process that has ended meanwhile is not at work; one that may not be looked at might be. */
async function isGitIn(pid: string, places: readonly string[]): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (!name.startsWith("git")) return false;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? "" : undefined,
  );
  if (cwd === undefined) return true;
  return places.some((place) => cwd === place || cwd.startsWith(place + sep));
}
