// Runs short commands, one after another, in small shells that stay open. Node starts a process by copying the page tables of
// all its memory, on its main thread: 9 ms at 160 MB. A shell needs less than one. Their small files are read in place: a thread that
// does it takes longer to wake than the reading takes.

import { type ChildProcessByStdio, type SpawnOptions, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { shellWord } from "../../core/text/format.ts";
import { OutsideFailure, reasonOf } from "../../ports/failure.ts";
import type { Environment } from "./environment.ts";
import { endProcess } from "./tree.ts";

export interface ShortCommand {
  readonly words: readonly string[];
  readonly environment: Environment;
  /** Set for this command alone. */
  readonly variables: Environment;
  readonly input?: Buffer;
  /** It is ended when it has written so many bytes. */
  readonly limit?: number;
  /** Aborted when it has to end. */
  readonly late?: AbortSignal;
}

export interface ShortEnd {
  /** As a shell has it: 127 when there is no such program, 128 and more when a signal ended it. */
  readonly code: number;
  readonly out: Buffer;
  readonly said: Buffer;
}

/** Commands beyond this many wait for a shell. */
const mostShells = 4;
const shells = new Set<Shell>();
const waiting: (() => void)[] = [];

/** Undefined when there is no shell, because the temporary folder is not writable. */
export async function runShort(command: ShortCommand): Promise<ShortEnd | undefined> {
  const shell = await takeShell(JSON.stringify(command.environment), command.environment);
  if (shell === undefined) return undefined;
  try {
    return await shell.run(command);
  } finally {
    shell.isFree = true;
    waiting.shift()?.();
  }
}

async function takeShell(key: string, environment: Environment): Promise<Shell | undefined> {
  for (;;) {
    // A run may wait for days, and temporary folders are cleaned up.
    for (const shell of shells) if (shell.isFree && !existsSync(shell.folder)) shell.close();
    const free = [...shells].filter(({ isFree }) => isFree);
    const fitting = free.find((shell) => shell.key === key);
    // In the place of one that has another environment, when all places are taken.
    if (!fitting && shells.size >= mostShells) free[0]?.close();
    if (fitting || shells.size < mostShells) {
      const shell = fitting ?? openShell(key, environment);
      if (shell) shell.isFree = false;
      return shell;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

function openShell(key: string, environment: Environment): Shell | undefined {
  const folder = makeFolder();
  if (folder === undefined) return undefined;
  const shell = new Shell(key, environment, folder);
  shells.add(shell);
  return shell;
}

function makeFolder(): string | undefined {
  try {
    return mkdtempSync(resolve(tmpdir(), "superteam-commands-"));
  } catch {
    return undefined;
  }
}

class Shell {
  isFree = true;
  readonly key: string;
  readonly folder: string;
  readonly #process: ChildProcessByStdio<Socket, Socket, null>;
  #count = 0;
  #isEnded = false;
  #pending: { readonly resolve: (said: string) => void; readonly reject: (error: Error) => void } | undefined;

  constructor(key: string, environment: Environment, folder: string) {
    this.key = key;
    this.folder = folder;
    // In a session of its own: the person's Ctrl-C is for superteam, which lets a command finish.
    const options: SpawnOptions = { cwd: "/", env: environment, detached: true, stdio: ["pipe", "pipe", "ignore"] };
    this.#process = spawn("/bin/sh", ["-s", this.folder], options) as ChildProcessByStdio<Socket, Socket, null>;
    this.#process.unref();
    this.#process.stdin.unref();
    this.#process.stdout.unref();
    this.#process.on("error", (error) => this.#lost(error));
    this.#process.on("exit", () => this.#lost());
    this.#process.stdin.on("error", (error) => this.#lost(error));
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      if (!this.#isEnded) this.#pending?.resolve(line);
    });
    // The shell clears up when its input ends, which it does whenever superteam ends, in whatever way.
    this.#process.stdin.write(`trap 'exit 1' PIPE; trap 'rm -rf "$1"' EXIT\n`);
  }

  close(): void {
    shells.delete(this);
    this.#process.stdin.end();
  }

  async run({ words, variables, input, limit, late }: ShortCommand): Promise<ShortEnd | undefined> {
    const file = join(this.folder, String(++this.#count));
    if (input !== undefined && !isWritten(`${file}.in`, input)) return undefined;
    const assigned = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
    const command = [...assigned, ...words.map(shellWord)].join(" ");
    if (command.includes("\0")) throw new TypeError(`No command can be given a zero byte: ${JSON.stringify(words)}`);
    const from = input === undefined ? "/dev/null" : shellWord(`${file}.in`);
    const whole = `${command} <${from} 2>${shellWord(`${file}.err`)}`;
    const code = codeIn(await this.#send(limited(whole, shellWord(file), limit), late));
    if (late?.aborted) return { code: code ?? ended, out: Buffer.alloc(0), said: Buffer.alloc(0) };
    // A command that could not write what it had to say must not be taken for one that said no.
    if (code === undefined || (code !== 0 && !hasRoom(this.folder))) throw unreadable(this.folder, "no space is left");
    const [out, said] = [read(`${file}.out`), read(`${file}.err`)];
    const kinds = [".out", ".err", ...(input === undefined ? [] : [".in"]), ...(limit === undefined ? [] : [".code"])];
    for (const kind of kinds) rmSync(`${file}${kind}`, { force: true });
    return { code, out, said };
  }

  /** What the shell says when it is done. */
  async #send(line: string, late: AbortSignal | undefined): Promise<string> {
    const { stdin, stdout } = this.#process;
    stdout.ref();
    const giveUp = (): void => void this.#end().then(() => this.#pending?.resolve(String(ended)));
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#pending = { resolve, reject };
        late?.addEventListener("abort", giveUp, { once: true });
        if (late?.aborted) giveUp();
        stdin.write(line, (error) => error && this.#lost(error));
      });
    } finally {
      late?.removeEventListener("abort", giveUp);
      this.#pending = undefined;
      stdout.unref();
    }
  }

  /** With the command that runs in it. */
  async #end(): Promise<void> {
    this.#isEnded = true;
    shells.delete(this);
    await endProcess(this.#process.pid ?? 0);
  }

  #lost(cause?: Error): void {
    shells.delete(this);
    // One that is killed cannot clear up.
    rmSync(this.folder, { recursive: true, force: true });
    // Its end is told when nothing is left of what ran in it.
    if (this.#isEnded) return;
    const message =
      "The shell in which superteam runs git was killed by another program. Try again: superteam starts a new one.";
    this.#pending?.reject(new OutsideFailure("git-failed", message, { cause }));
  }
}

/** The code of a command that was ended. */
const ended = 128;

/** A line that writes what the command says into a file, and tells its exit code; with a limit, also whether all of that could be written. */
function limited(command: string, file: string, limit: number | undefined): string {
  if (limit === undefined) return `${command} >${file}.out; echo $?\n`;
  const cut = `{ ${command}; echo $? >${file}.code; } | head -c ${limit} >${file}.out; cut=$?`;
  return `${cut}; code=; read -r code <${file}.code; echo "$code $cut"\n`;
}

/** Undefined when it is not known, or when not all was written that the command said. */
function codeIn(told: string): number | undefined {
  const [, code, cut = "0"] = /^(\d+)(?: (\d+))?$/.exec(told) ?? [];
  return code === undefined || cut !== "0" ? undefined : Number(code);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unreadable(dirname(file), reasonOf(cause), cause);
  }
}

function unreadable(folder: string, why: string, cause?: unknown): OutsideFailure {
  const what = `What git said could not be read back from ${folder} (${why}).`;
  const message = `${what} Free some space there or set TMPDIR to another folder, then try again.`;
  return new OutsideFailure("unwritable", message, { cause });
}

/** Whether a few lines can be written there. */
function hasRoom(folder: string): boolean {
  const file = join(folder, "room");
  const isThere = isWritten(file, Buffer.alloc(64 * 1024));
  rmSync(file, { force: true });
  return isThere;
}

/** False when there is no room for it. */
function isWritten(file: string, bytes: Buffer): boolean {
  try {
    writeFileSync(file, bytes);
    return true;
  } catch {
    return false;
  }
}
