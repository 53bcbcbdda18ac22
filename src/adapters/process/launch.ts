// Starts a process in a group of its own, tagged, watched, and with a way to end all that came from it (E8).

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { ProcessMark } from "../../ports/agents.ts";
import { reasonOf } from "../../ports/failure.ts";
import { codeOf } from "../files/present.ts";
import { goneFile, untaggedFile } from "./gone.ts";
import { type Ended, startSmall } from "./starter/start.ts";
import { type Stray, straysIn } from "./strays.ts";
import { birthOfChild, isTableCheap, type Row, youngerProcesses } from "./table.ts";
import { carriesTag, endTree, ownTree, type Seen, tagVariable } from "./tree.ts";
import { watchdog } from "./watchdog.ts";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All the process is given, but for the tag. */
  readonly env: Readonly<Record<string, string>>;
}

export type Exit =
  | { readonly how: "exited"; readonly code: number }
  | { readonly how: "killed"; readonly signal: NodeJS.Signals };

export interface Running {
  readonly mark: ProcessMark;
  readonly stdin: Writable;
  /** Bytes; not read before somebody listens. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** When the process itself has ended; others that came from it may live on. */
  readonly exit: Promise<Exit>;
  /** Why it would outlive a superteam that is killed; undefined while it is watched. */
  readonly unwatched: string | undefined;
  /** Names the folder in which it is noted when nothing of the process is left, by superteam or by the watchdog. */
  claim(folder: string): void;
  /** Processes that may come from it, and that nothing ties to it any more. To be asked for when it has ended. */
  strays(): Promise<readonly Stray[]>;
  /** Ends everything that came from the process, and resolves when nothing is left (or with what would not die). */
  end(): Promise<readonly number[]>;
}

export type Launched =
  | { readonly ok: true; readonly running: Running }
  | { readonly ok: false; readonly detail: string };

export async function launch(order: Launch): Promise<Launched> {
  const tag = randomUUID();
  watchdog.add({ tag, pid: 0, gone: "" });
  const started = await begin(order, tag);
  if (typeof started === "string") {
    watchdog.remove(tag);
    return { ok: false, detail: started };
  }
  watchdog.add({ tag, pid: started.pid, gone: "" });
  const mark = { pid: started.pid, birth: started.birth, tag };
  return { ok: true, running: runningOf(started, { mark, cwd: order.cwd }) };
}

interface Begun {
  readonly pid: number;
  readonly birth: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<Exit>;
}

async function begin(order: Launch, tag: string): Promise<Begun | string> {
  // The system would say that the command does not exist.
  if (!existsSync(order.cwd)) return `the folder ${order.cwd} does not exist`;
  const outer = process.env[tagVariable];
  const env = { ...order.env, [tagVariable]: outer === undefined ? tag : `${outer}:${tag}` };
  try {
    const begun = (await startSmall({ ...order, env })) ?? (await beginHere(order, env));
    if (typeof begun === "string") return begun;
    return { ...begun, exit: begun.exit.then(exitOf) };
  } catch (error) {
    return reasonOf(error);
  }
}

async function beginHere({ command, args, cwd }: Launch, env: Launch["env"]) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: "pipe" });
  const { stdin, stdout, stderr, pid } = child;
  // A child that dies early closes its ends of the pipes; its exit says how it died.
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => stream.destroy());
  for (const stream of [stdout, stderr]) keepUntilRead(stream);
  if (pid === undefined) return String((await once(child, "error"))[0]);
  const exit = new Promise<Ended>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  return { pid, birth: await birthOfChild(pid), stdin, stdout, stderr, exit };
}

/** Node throws away what a process wrote when it ends before anybody listens; not while somebody waits for "readable". */
function keepUntilRead(stream: Readable): void {
  const wait = (): void => undefined;
  const release = (event: string | symbol): void => {
    if (event !== "data") return;
    stream.off("newListener", release);
    stream.off("readable", wait);
  };
  stream.on("readable", wait);
  stream.on("newListener", release);
}

function exitOf({ code, signal }: Ended): Exit {
  return signal === null ? { how: "exited", code: code ?? -1 } : { how: "killed", signal };
}

function runningOf(
  { stdin, stdout, stderr, exit }: Begun,
  { mark, cwd }: { readonly mark: ProcessMark; readonly cwd: string },
): Running {
  const started = performance.now();
  let folder: string | undefined;
  const seen: Seen = new Map();
  const noted = new Set<string>();
  /** What was there beside it when nothing of it was left. */
  let beside: readonly Row[] | undefined;
  const isAlive = async (): Promise<boolean> => {
    const { tree, young } = await ownTree(mark, performance.now() - started, seen);
    if (folder !== undefined) noteUntagged(tree, mark.tag, { folder, noted });
    beside = tree.length > 0 ? undefined : young;
    return tree.length > 0;
  };
  const stopLooking = isTableCheap ? keepLooking(isAlive) : undefined;
  const finish = async (): Promise<readonly number[]> => {
    stopLooking?.();
    if (await isAlive()) {
      const survivors = await endTree(mark, undefined, seen);
      if (survivors.length > 0) return survivors;
    }
    // Written before the watchdog forgets the entry, so that there is no moment without either.
    if (folder !== undefined) noteIn(goneFile(folder), `${Math.floor(Date.now() / 1000)}\n`);
    watchdog.remove(mark.tag);
    return [];
  };
  let ending: Promise<readonly number[]> | undefined;
  return {
    mark,
    stdin,
    stdout,
    stderr,
    exit,
    get unwatched() {
      return watchdog.trouble;
    },
    claim(claimed) {
      folder = claimed;
      watchdog.add({ tag: mark.tag, pid: mark.pid, gone: goneFile(folder) });
    },
    async strays() {
      if (!isTableCheap) return [];
      return straysIn(beside ?? (await youngerProcesses(mark.pid, performance.now() - started)), mark, cwd);
    },
    end() {
      ending ??= finish();
      return ending;
    },
  };
}

/**
 * A daemon may leave group, session, environment and parent behind: one that was seen with its parent is known from then on. The
 * longer a process runs, the more there is to look at, and the less often that is done.
 */
function keepLooking(look: () => Promise<unknown>): () => void {
  const started = performance.now();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const lookLater = (): void => {
    const wait = Math.max(soonestLookMs, (performance.now() - started) / 100);
    timer = setTimeout(() => void look().then(() => (isOver ? undefined : lookLater())), wait).unref();
  };
  lookLater();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

const soonestLookMs = 250;

/** Each process is noted once. One that was seen before the dispatch had a folder is noted as soon as there is one. */
function noteUntagged(
  rows: readonly Row[],
  tag: string,
  { folder, noted }: { readonly folder: string; readonly noted: Set<string> },
): void {
  const lost = rows.filter(({ pid }) => !carriesTag(pid, tag)).map(({ pid, birth }) => `${pid} ${birth}\n`);
  const fresh = lost.filter((line) => !noted.has(line));
  for (const line of fresh) noted.add(line);
  if (fresh.length > 0) noteIn(untaggedFile(folder), fresh.join(""));
}

/** The folder may be gone with its run; then nobody will ask for it either. */
function noteIn(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    if (codeOf(error) === "") throw error;
  }
}
