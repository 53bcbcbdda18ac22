// The runs of a repository as files: see src/ports/runs.ts for what each verb promises. What takes long to load is loaded
// when it is used, so that whoever only looks has an answer at once.

import { existsSync } from "node:fs";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatches, RunHistory, RunQueue, Runs } from "../../ports/runs.ts";
import { ifPresent, readIfPresent } from "../files/present.ts";
import { readFileJournal } from "../journal/scan.ts";
import type { TreeFolders } from "./lease.ts";
import { newRunId, type RunStore, runStore } from "./run-folders.ts";

export function fileRuns(folders: TreeFolders): Runs {
  const store = runStore(folders);
  const { list, paths, readActive, writeActive, clearActive } = store;
  const folder = (runId: string): string => paths(runId).folder;
  return {
    newId: () => newRunId(Date.now()),
    ...{ list, readActive, writeActive, clearActive },
    hasBegun: async (runId) => ((await ifPresent(stat(paths(runId).journal)))?.size ?? 0) > 0,
    pipelineOf: (runId) => pipelineIn(paths(runId).journal),
    lease: async (runId) => (await import("./lease.ts")).lease(folders, store.lock, runId),
    // Most of the time nobody is at work.
    owner: async () => (existsSync(store.lock) ? (await import("./lock.ts")).lockOwner(store.lock) : undefined),
    create: async (runId) => (await import("../journal/file.ts")).createFileJournal({ folder: folder(runId) }),
    open: async (runId) => (await import("../journal/file.ts")).openFileJournal({ folder: folder(runId) }),
    read: async (runId) => (await readFileJournal(folder(runId))).entries,
    follow: async function* (runId, signal) {
      yield* (await import("../journal/follow.ts")).followJournal(folder(runId), signal);
    },
    inbox: async (runId) => (await import("./inbox.ts")).inboxOf(paths(runId).inbox),
    send: async (runId, message, waitMs) => (await import("./inbox.ts")).send(paths(runId).inbox, message, waitMs),
    dispatches: (runId) => dispatchFolders(paths(runId).dispatches),
    keep: (runId, name, text) => keep(join(folder(runId), name), text),
    where: folder,
    history: historyIn(store),
    queue: queueIn(store, folders.commonDir),
  };
}

const beginning = 512;

/** A journal says at its very beginning which pipeline it is of: it may be long, and is not read. */
async function pipelineIn(journal: string): Promise<string | undefined> {
  const { firstBytes } = await import("../files/small-file.ts");
  const start = existsSync(journal) ? firstBytes(journal, beginning).toString("utf8") : "";
  return /"pipeline":\{"name":"([^"\\]*)"/.exec(start)?.[1];
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
  const opened = async (): Promise<RunQueue> =>
    (await import("./queue.ts")).queueOf(store.queue, (runId) => isStarted(store, commonDir, runId));
  return {
    where: store.queue,
    // Most repositories have none.
    list: async () => (existsSync(store.queue) ? (await opened()).list() : []),
    add: async (runs, mark) => (await opened()).add(runs, mark),
    take: async (start) => (await opened()).take(start),
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

/** How long the watchdog may take to say that an agent is gone: it sends TERM, waits, and sends KILL. */
const watchdogMs = 8000;

/** A folder for each dispatch, in which the watchdog says when the agent was gone. */
function dispatchFolders(parent: string): Dispatches {
  const folder = (id: string): string => join(parent, id);
  return {
    folder,
    async goneAt(id) {
      const { goneAt } = await import("../process/gone.ts");
      for (const until = Date.now() + watchdogMs; ; await delay(50)) {
        const at = await goneAt(folder(id));
        if (at !== null) return at;
        if (Date.now() > until) return undefined;
      }
    },
  };
}
