// The runs of a repository as files: see src/ports/runs.ts for what each verb promises. What takes long to load is loaded
// when it is used, so that whoever only looks has an answer at once.

import { existsSync } from "node:fs";
import { access, constants, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Lease, Leasing, RunHistory, RunQueue, Runs } from "../../ports/runs.ts";
import { StoreFailure } from "../files/failure.ts";
import { sweepTemporary } from "../files/own-folder.ts";
import { ifPresent, readIfPresent } from "../files/present.ts";
import { firstBytes } from "../files/small-file.ts";
import { createFileJournal, openFileJournal, readFileJournal } from "../journal/file.ts";
import { followJournal } from "../journal/follow.ts";
import { dispatchFolders } from "./dispatch-folders.ts";
import { lockOwner, takeLock } from "./lock.ts";
import { type GitFolders, newRunId, type RunStore, runStore } from "./runs.ts";

export interface TreeFolders extends GitFolders {
  /** Whoever holds the lease writes there too. Not known to those who only look. */
  readonly root?: string;
}

export function fileRuns(folders: TreeFolders): Runs {
  const store = runStore(folders);
  const { list, paths, readActive, writeActive, clearActive } = store;
  const folder = (runId: string): string => paths(runId).folder;
  return {
    newId: () => newRunId(Date.now()),
    ...{ list, readActive, writeActive, clearActive },
    hasBegun: async (runId) => ((await ifPresent(stat(paths(runId).journal)))?.size ?? 0) > 0,
    pipelineOf: async (runId) => pipelineIn(paths(runId).journal),
    lease: (runId) => lease(folders, store.lock, runId),
    owner: () => lockOwner(store.lock),
    create: (runId) => createFileJournal({ folder: folder(runId) }),
    open: (runId) => openFileJournal({ folder: folder(runId) }),
    read: async (runId) => (await readFileJournal(folder(runId))).entries,
    follow: (runId, signal) => followJournal(folder(runId), signal),
    inbox: async (runId) => (await import("./inbox.ts")).inboxOf(paths(runId).inbox),
    send: async (runId, message, waitMs) => (await import("./send.ts")).send(paths(runId).inbox, message, { waitMs }),
    dispatches: (runId) => dispatchFolders(paths(runId).dispatches),
    keep: (runId, name, text) => keep(join(folder(runId), name), text),
    where: folder,
    history: historyIn(store),
    queue: queueIn(store, folders.commonDir),
  };
}

const beginning = 512;

/** A journal says at its very beginning which pipeline it is of: it may be long, and is not read. */
function pipelineIn(journal: string): string | undefined {
  const start = existsSync(journal) ? firstBytes(journal, beginning).toString("utf8") : "";
  return /"pipeline":\{"name":"([^"\\]*)"/.exec(start)?.[1];
}

async function lease({ root, gitDir, commonDir }: TreeFolders, lock: string, runId: string): Promise<Leasing> {
  for (const folder of [root ?? gitDir, gitDir, commonDir]) await refuseUnwritable(folder);
  const locking = await takeLock(lock, runId, Date.now());
  if (!locking.taken) return locking;
  const temporary = join(gitDir, "superteam", "tmp");
  const release = async (): Promise<void> => {
    await sweepTemporary(temporary);
    await locking.lock.release();
  };
  await sweepTemporary(temporary);
  return { taken: true, lease: { owner: locking.lock.owner, lost: never, release } };
}

/** Nobody takes the lock of a process that is alive. */
const never: Lease["lost"] = new AbortController().signal;

/** A run writes to the tree and to git's folder: better told before it starts than by its first agent. */
async function refuseUnwritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch((cause: Error) => {
    const message = `${folder} cannot be written to (${cause.message}), and a run has to. Make it writable for you, or work in a clone of it.`;
    throw new StoreFailure("unwritable", folder, message, { cause });
  });
}

async function keep(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

function historyIn({ history }: RunStore): RunHistory {
  const opened = async (): Promise<RunHistory> => (await import("./history.ts")).historyOf(history);
  return { read: async () => (await opened()).read(), add: async (run) => (await opened()).add(run) };
}

function queueIn(store: RunStore, commonDir: string): RunQueue {
  const opened = async () => (await import("./queue.ts")).queueOf(store.queue);
  return {
    where: store.queue,
    // Most repositories have none.
    list: async () => (existsSync(store.queue) ? (await opened()).list() : []),
    add: async (runs, mark) => (await opened()).add(runs, mark),
    take: async (start) => (await opened()).take({ start, isStarted: (runId) => isStarted(store, commonDir, runId) }),
  };
}

/** Active in some working tree, or worked on after its first entry. */
async function isStarted(store: RunStore, commonDir: string, runId: string): Promise<boolean> {
  const linked = (await ifPresent(readdir(join(commonDir, "worktrees")))) ?? [];
  const gitDirs = [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
  for (const gitDir of gitDirs) if ((await runStore({ gitDir, commonDir }).readActive()) === runId) return true;
  const text = (await readIfPresent(store.paths(runId).journal)) ?? "";
  return text.split("\n").filter((line) => line !== "").length > 1;
}
