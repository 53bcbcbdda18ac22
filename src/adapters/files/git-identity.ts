// Whether git's folder is still the same: an agent with a shell can move, remove or replace it during a run. Then nothing written there can be
// relied on, and git itself may find another repository or none.

import { lstatSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { OutsideFailure } from "../../ports/failure.ts";
import type { GitFolders } from "./git-folders.ts";
import { firstBytes } from "./small-file.ts";

export interface GitIdentity {
  readonly folders: GitFolders;
  /** What `.git` in the tree is: a folder, or a file or link that leads to one. */
  readonly entry: string;
  /** Where such a file or link leads. */
  readonly leads: string | undefined;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Where commits and files are. git itself never replaces it. */
  readonly objects: string;
  /** superteam's own folder in it. */
  readonly store: string;
}

export function identify(folders: GitFolders): GitIdentity {
  return {
    folders,
    entry: kindOf(entryOf(folders)),
    leads: targetOf(entryOf(folders)),
    gitDir: numberOf(folders.gitDir),
    commonDir: numberOf(folders.commonDir),
    objects: numberOf(objectsOf(folders)),
    store: numberOf(storeOf(folders)),
  };
}

/** Throws `disturbed`, with what happened and, where the run does not say it better, what to do. */
export async function refuseReplaced(before: GitIdentity): Promise<void> {
  const store = storeOf(before.folders);
  const isKept = before.store === none || numberOf(store) === before.store;
  const words = (await whatBecameOf(before)) ?? (isKept ? undefined : `${store} was removed or replaced.`);
  if (words !== undefined) throw new OutsideFailure("disturbed", words);
}

/** What happened to git's folder, and what to do; undefined while it is the same. */
export async function whatBecameOf(before: GitIdentity): Promise<string | undefined> {
  const now = identify(before.folders);
  const entry = entryOf(before.folders);
  const { root } = before.folders;
  if (root !== undefined && kindOf(root) === none) return movedTree(root);
  const isThere = now.gitDir === before.gitDir && now.commonDir === before.commonDir;
  const isSameEntry = now.entry === before.entry && now.leads === before.leads;
  if (isSameEntry && isThere)
    return now.objects === before.objects ? undefined : lost(objectsOf(before.folders), now.objects);
  if (now.leads !== undefined && numberOf(now.leads) === before.gitDir && before.entry === "a folder") {
    return `${entry} was a folder, and is now ${now.entry} that leads to ${now.leads}: git's folder was moved there while the run was at work.\nMove it back: rm ${entry} && mv ${now.leads} ${entry}\nThen: superteam resume`;
  }
  if (!isSameEntry && before.leads !== undefined && isThere)
    return `${entry} was changed while the run was at work: it led to ${before.leads}.\nMake it lead there again, then: superteam resume`;
  return lost(entry, now.entry);
}

function movedTree(root: string): string {
  return `${root} was removed or moved while the run was at work, with all that is in it. The run itself was there.\nMove it back, or restore it from a backup, then: superteam resume`;
}

function lost(place: string, now: string): string {
  const what = now === none ? `${place} was removed or moved` : `${place} was replaced`;
  return `${what} while the run was at work. Your commits, branches and stashes, and the run itself, were there. The files in the tree were not touched.\nRestore it, from where it was moved or from a backup, then: superteam resume\nWithout a backup, use the .git of a fresh clone, which has what was pushed. Do that before you commit anything.`;
}

const entryOf = ({ root, gitDir }: GitFolders): string => (root === undefined ? gitDir : join(root, ".git"));

const objectsOf = ({ commonDir }: GitFolders): string => join(commonDir, "objects");

const storeOf = ({ commonDir }: GitFolders): string => join(commonDir, "superteam");

const none = "nothing";

function kindOf(path: string): string {
  const seen = lookAt(() => lstatSync(path));
  if (seen === undefined) return none;
  if (seen.isDirectory()) return "a folder";
  return seen.isSymbolicLink() ? "a link" : "a file";
}

/** Of the folder itself, by whatever name. */
function numberOf(path: string): string {
  const seen = lookAt(() => statSync(path, { bigint: true }));
  return seen === undefined ? none : `${seen.dev}:${seen.ino}`;
}

/** undefined for what cannot be looked at. */
function lookAt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Where a link leads, or a file of the kind that linked worktrees have. */
function targetOf(entry: string): string | undefined {
  const kind = kindOf(entry);
  if (kind === "a link") return lookAt(() => realpathSync(entry));
  if (kind !== "a file") return undefined;
  const text = lookAt(() => firstBytes(entry, longestPath).toString("utf8")) ?? "";
  const named = /^gitdir: (.+)/.exec(text)?.[1];
  return named === undefined ? undefined : resolve(entry, "..", named);
}

const longestPath = 8192;
