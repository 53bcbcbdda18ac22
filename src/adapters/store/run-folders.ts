// Where runs are kept, and which one is active in a working tree.
//
// The runs themselves are in git's common folder, out of reach of `git clean` and of a worktree's removal. The lock and
// the pointer to the active run are in the working tree's own git folder, so that each worktree has its own.

import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileTime } from "../../core/text/format.ts";
import { ifPresent, readIfPresent } from "../files/present.ts";

export interface GitFolders {
  /** What `git rev-parse --absolute-git-dir` says. */
  readonly gitDir: string;
  /** What `git rev-parse --path-format=absolute --git-common-dir` says. */
  readonly commonDir: string;
}

/** Where the runs of a repository are, and those of their verbs that are about these files alone. */
export type RunStore = ReturnType<typeof runStore>;

export function runStore({ gitDir, commonDir }: GitFolders) {
  const runs = join(commonDir, "superteam", "runs");
  const own = join(gitDir, "superteam");
  const active = join(own, "active");
  return {
    runs,
    active,
    history: join(commonDir, "superteam", "history.jsonl"),
    queue: join(commonDir, "superteam", "queue.json"),
    lock: join(own, "lock"),
    paths: (runId: string) => pathsOf(join(runs, checked(runId))),
    /** The ids of all runs of this repository, oldest first. */
    async list(): Promise<readonly string[]> {
      const names = (await ifPresent(readdir(runs))) ?? [];
      return names.filter((name) => runIdShape.test(name)).sort();
    },
    async readActive(): Promise<string | undefined> {
      const id = ((await readIfPresent(active)) ?? "").trim();
      return runIdShape.test(id) ? id : undefined;
    },
    async writeActive(runId: string): Promise<void> {
      // Whoever only looks loads nothing that writes.
      const { writeAtomically } = await import("../files/atomic.ts");
      await writeAtomically(active, `${checked(runId)}\n`);
    },
    clearActive: (): Promise<void> => rm(active, { force: true }),
  };
}

/** Short, and in the order of time when sorted as text: 20261115-093000-ab12, in UTC. */
export function newRunId(now: number): string {
  return `${fileTime(now)}-${randomBytes(2).toString("hex")}`;
}

const runIdShape = /^\d{8}-\d{6}-[0-9a-f]{4}$/;

/** An id becomes the name of a folder, so nothing else passes for one. */
function checked(runId: string): string {
  if (runIdShape.test(runId)) return runId;
  throw new Error(`"${runId}" is not the id of a run: it looks like ${newRunId(0)}.`);
}

function pathsOf(folder: string) {
  return {
    folder,
    journal: join(folder, "journal.jsonl"),
    blobs: join(folder, "blobs"),
    dispatches: join(folder, "dispatches"),
    inbox: join(folder, "inbox"),
  };
}
