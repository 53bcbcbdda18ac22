// The runs of a repository as files: see src/ports/runs.ts for what each verb promises. What takes long to load is loaded
// when it is used, so that commands that only read answer at once.
//
// The runs themselves are in git's common folder, out of reach of `git clean` and of a worktree's removal. The lock and
// the pointer to the active run are in the working tree's own git folder, so that each worktree has its own.

import { randomBytes, randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileTime } from "../../core/text/format.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Dispatches, RunHistory, RunQueue, Runs } from "../../ports/runs.ts";
import type { GitFolders } from "../files/git-folders.ts";
import { codeOf, ifPresent, readIfPresent } from "../files/present.ts";
import { journalFile, readFileJournal } from "../journal/scan.ts";
import type { IsStarted } from "./queue.ts";

export function fileRuns(folders: GitFolders): Runs {
  const { gitDir, commonDir } = folders;
  const runs = join(commonDir, "superteam", "runs");
  const active = activeIn(gitDir);
  const lock = join(gitDir, "superteam", "lock");
  const folder = (runId: string): string => join(runs, checked(runId));
  const inbox = (runId: string): string => join(folder(runId), "inbox");
  return {
    newId: () => newRunId(Date.now()),
    list: async () => ((await ifPresent(readdir(runs))) ?? []).filter((name) => runIdShape.test(name)).sort(),
    readActive: () => readActive(active),
    async writeActive(runId) {
      // Commands that only read load nothing that writes.
      const { writeAtomically } = await import("../files/atomic.ts");
      await writeAtomically(active, `${checked(runId)}\n`);
    },
    clearActive: () => rm(active, { force: true }),
    hasBegun: async (runId) => ((await ifPresent(stat(journalFile(folder(runId)))))?.size ?? 0) > 0,
    pipelineOf: (runId) => pipelineIn(journalFile(folder(runId))),
    lease: async (runId) => (await import("./lease.ts")).lease(folders, lock, runId),
    // Most of the time nothing is running.
    owner: async () => (existsSync(lock) ? (await import("./lock.ts")).lockOwner(lock) : undefined),
    create: async (runId) => (await import("../journal/file.ts")).createFileJournal({ folder: folder(runId) }),
    writeAgain: async (runId, entries) =>
      (await import("../journal/file.ts")).writeFileJournal({ folder: folder(runId) }, entries),
    open: async (runId) => (await import("../journal/file.ts")).openFileJournal({ folder: folder(runId) }),
    read: async (runId) => (await readFileJournal(folder(runId))).entries,
    examine: (runId) => readFileJournal(folder(runId)),
    follow: async function* (runId, signal) {
      const { eventsReader } = await import("./events.ts");
      const { followJournal } = await import("../journal/follow.ts");
      yield* followJournal(folder(runId), signal, eventsReader(folder(runId)));
    },
    events: async (runId) => (await import("./events.ts")).openEvents(folder(runId)),
    inbox: async (runId) => (await import("./inbox.ts")).inboxOf(inbox(runId)),
    send: async (runId, message, waitMs) => (await import("./sending.ts")).send(inbox(runId), message, waitMs),
    dispatches: (runId) => dispatchFolders(join(folder(runId), "dispatches")),
    keep: (runId, name, text) => keep(join(folder(runId), name), text),
    where: folder,
    size: (runId) => bytesIn(folder(runId)),
    remove: (runId) => rm(folder(runId), { recursive: true, force: true }),
    history: historyIn(join(commonDir, "superteam", "history.jsonl")),
    queue: queueIn(join(commonDir, "superteam", "queue.json"), (runId) => isStarted(commonDir, folder(runId), runId)),
  };
}

/** Short, and in the order of time when sorted as text: 20261115-093000-ab12, in UTC. The last digits grow with the second. */
function newRunId(now: number): string {
  const within = (now % 1000) * perMillisecond + randomInt(perMillisecond);
  return `${fileTime(now)}-${within.toString(16).padStart(4, "0")}`;
}

/** As many as fit: 1000 times this is the most that four digits can say. */
const perMillisecond = 65;

const runIdShape = /^\d{8}-\d{6}-[0-9a-f]{4}$/;

/** An id becomes the name of a folder, so nothing else passes for one. */
function checked(runId: string): string {
  if (runIdShape.test(runId)) return runId;
  throw new Error(`"${runId}" is not the id of a run: it looks like ${newRunId(0)}.`);
}

const activeIn = (gitDir: string): string => join(gitDir, "superteam", "active");

async function readActive(file: string): Promise<string | undefined> {
  const read = await readIfPresent(file).catch((cause) => (codeOf(cause) === "EISDIR" ? null : Promise.reject(cause)));
  const id = read?.trim();
  if (read !== null && (id === undefined || runIdShape.test(id))) return id;
  const what = id === undefined ? "is a folder" : `holds ${JSON.stringify(id.slice(0, 80))}`;
  const holds = `${file} should name the active run of this tree, but ${what}.`;
  const advice =
    "Write the id of the run into it (superteam runs lists them), or remove it if no run should continue here.";
  throw new OutsideFailure("unreadable", `${holds} It was left as it is. ${advice}`);
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

async function bytesIn(folder: string): Promise<number> {
  const names = (await ifPresent(readdir(folder, { recursive: true }))) ?? [];
  const files = await Promise.all(names.map((name) => ifPresent(stat(join(folder, name)))));
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

function historyIn(history: string): RunHistory {
  const opened = async (): Promise<RunHistory> => (await import("./history.ts")).historyOf(history);
  return { read: async () => (await opened()).read(), add: async (run) => (await opened()).add(run) };
}

function queueIn(where: string, hasStarted: IsStarted): RunQueue {
  const opened = async (): Promise<RunQueue> => (await import("./queue.ts")).queueOf(where, hasStarted);
  return {
    where,
    // Most repositories have none.
    list: async () => (existsSync(where) ? (await opened()).list() : []),
    add: async (runs, mark) => (await opened()).add(runs, mark),
    take: async (start) => (await opened()).take(start),
  };
}

/** Active in some working tree, or worked on after its first entry. */
async function isStarted(commonDir: string, folder: string, runId: string): Promise<boolean> {
  const linked = (await ifPresent(readdir(join(commonDir, "worktrees")))) ?? [];
  const gitDirs = [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
  // What another tree's pointer holds is that tree's affair.
  const isActiveIn = (gitDir: string) =>
    readActive(activeIn(gitDir)).then(
      (id) => id === runId,
      () => false,
    );
  for (const gitDir of gitDirs) if (await isActiveIn(gitDir)) return true;
  const text = (await readIfPresent(journalFile(folder))) ?? "";
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
    async besides(ids) {
      const names = ((await ifPresent(readdir(parent))) ?? []).filter((name) => !ids.has(name)).sort();
      return Promise.all(names.map((name) => (name.includes(lost) ? name : setAside(parent, name))));
    },
  };
}

/** In the name of a folder whose dispatch the journal no longer has. */
const lost = "-lost-";

async function setAside(parent: string, name: string): Promise<string> {
  const aside = `${name}${lost}${randomBytes(2).toString("hex")}`;
  await rename(join(parent, name), join(parent, aside));
  return aside;
}
