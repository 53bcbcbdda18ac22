// Where the places of a run are: in a folder of the user's own, outside of every repository, unless the configuration names another, from the
// repository's root.

import { readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Config } from "../../core/run/config.ts";
import { ifPresent } from "../files/present.ts";

export function placesFolder({ folder }: Config["worktree"], root: string, runId: string): string {
  const { XDG_STATE_HOME: state = "", HOME: home = homedir() } = process.env;
  const above = isAbsolute(state) ? state : join(home, ".local", "state");
  return join(folder === undefined ? join(above, "superteam", "worktrees") : resolve(root, folder), runId);
}

/** What a run that ended has left. */
export async function removePlaces(folder: string, remove: (path: string) => Promise<void>): Promise<void> {
  for (const name of (await ifPresent(readdir(folder))) ?? []) await remove(join(folder, name));
  await rm(folder, { recursive: true, force: true });
}
