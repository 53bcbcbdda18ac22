// Starts the remote-controlled person, in a terminal or without one, and gives the test its end of the line.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { shellWord } from "../../../src/core/text/format.ts";
import type { Person } from "../../../src/ports/person.ts";
import { bundled } from "../bundled.ts";
import { patienceMs } from "../until.ts";
import { type Hands, openPane, type Pane } from "./pane.ts";
import type { RemoteCall, RemoteOptions, RemoteReply } from "./protocol.ts";
import { openScriptPane } from "./script-pane.ts";

const program = bundled("test/rig/person/remote.ts");

export interface RemotePerson {
  readonly person: Person;
  /** Resolves when the call has been made. */
  tell(call: RemoteCall & { readonly call: "burst" | "listen keys" | "stop keys" | "close" }): Promise<void>;
  /** Makes the program end. */
  end(how: "exit" | "throw"): void;
  /** Resolves when this has been heard, since the last time it was waited for. */
  heard(what: string): Promise<void>;
  /** All that was heard and not waited for. */
  unheeded(): readonly string[];
  stdout(): Promise<string>;
  close(): Promise<void>;
}

export interface TerminalRig extends RemotePerson {
  readonly pane: Pane;
}

interface TerminalOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** The terminal shows stderr alone, as under `superteam --json | ...`. */
  readonly pipeStdout?: boolean;
}

/** A person at a real terminal whose screen can be looked at. */
export function personInTerminal(options: TerminalOptions): Promise<TerminalRig> {
  return inTerminal(options, openPane);
}

/** A person at a real terminal that can be typed into and that is all. */
export function personInScript(options: TerminalOptions): Promise<RemotePerson & { readonly pane: Hands }> {
  return inTerminal(options, async (pane) => openScriptPane(pane));
}

async function inTerminal<P extends Hands>(
  options: TerminalOptions,
  start: (pane: Parameters<typeof openPane>[0]) => Promise<P>,
): Promise<RemotePerson & { readonly pane: P }> {
  const line = await openLine();
  const stdoutFile = join(line.folder, "stdout");
  const command = [
    shellWord(process.execPath),
    shellWord(program),
    shellWord(line.path),
    shellWord('{"person":"terminal"}'),
  ];
  const pane = await start({
    command: `set -m; ${command.join(" ")}${options.pipeStdout ? ` >${shellWord(stdoutFile)}` : ""}; echo "ended with $?"; exec sleep 60`,
    environment: options.environment ?? {},
    columns: options.columns ?? 80,
    rows: options.rows ?? 30,
  });
  const remote = await line.connected();
  return {
    ...remote,
    pane,
    stdout: () => readFile(stdoutFile, "utf8"),
    close: async () => {
      await pane.close();
      await line.close();
    },
  };
}

/** A person who is not there, in a process without a terminal. */
export async function personWithoutTerminal(options: RemoteOptions): Promise<RemotePerson> {
  const line = await openLine();
  const child = spawn(process.execPath, [program, line.path, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const ended = once(child, "close");
  const remote = await line.connected();
  return {
    ...remote,
    stdout: async () => {
      remote.end("exit");
      await ended;
      return stdout;
    },
    close: async () => {
      await line.close();
      await ended;
    },
  };
}

export interface Line {
  readonly folder: string;
  readonly path: string;
  connected(): Promise<Omit<RemotePerson, "stdout" | "close">>;
  close(): Promise<void>;
}

/** The test's end of the socket, before anybody is there. */
export async function openLine(): Promise<Line> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-person-"));
  const path = join(folder, "line");
  const server = createServer().listen(path);
  const connection = once(server, "connection");
  let socket: Socket | undefined;
  return {
    folder,
    path,
    async connected() {
      [socket] = (await inTime(connection, "the process of the person")) as [Socket];
      return talk(socket);
    },
    async close() {
      socket?.destroy();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function talk(socket: Socket): Promise<Omit<RemotePerson, "stdout" | "close">> {
  const waiting = new Map<string, Array<(reply: RemoteReply) => void>>();
  const early: Array<{ readonly name: string; readonly reply: RemoteReply }> = [];
  const next = (name: string): Promise<RemoteReply> => {
    const at = early.findIndex((one) => one.name === name);
    const [found] = at < 0 ? [] : early.splice(at, 1);
    if (found) return Promise.resolve(found.reply);
    const reply = new Promise<RemoteReply>((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
    // A question may be left without an answer; a test that waits for one has its own limit.
    return name.startsWith("answer ") ? reply : inTime(reply, name);
  };
  createInterface({ input: socket }).on("line", (text) => {
    const reply = JSON.parse(text) as RemoteReply;
    const name = nameOf(reply);
    const first = waiting.get(name)?.shift();
    if (first) first(reply);
    else early.push({ name, reply });
  });
  const send = (call: RemoteCall): void => {
    socket.write(`${JSON.stringify(call)}\n`);
  };
  await next("done ready");
  return {
    person: proxy(send, next),
    async tell(call) {
      send(call);
      await next(`done ${call.call}`);
    },
    end: (how) => send({ call: how }),
    heard: async (what) => void (await next(`heard ${what}`)),
    unheeded: () => early.map((one) => one.name).filter((name) => name.startsWith("heard ")),
  };
}

/** A process that has died says nothing any more. */
async function inTime<T>(awaited: Promise<T>, what: string): Promise<T> {
  const limit = new AbortController();
  const late = pause(patienceMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`waited ${patienceMs / 1000} s in vain for ${what}`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([awaited, late]);
  } finally {
    limit.abort();
  }
}

function nameOf(reply: RemoteReply): string {
  if ("heard" in reply) return `heard ${reply.heard}`;
  return "done" in reply ? `done ${reply.done}` : `answer ${reply.id}`;
}

function proxy(send: (call: RemoteCall) => void, next: (name: string) => Promise<RemoteReply>): Person {
  let count = 0;
  const ask: Person["ask"] = async (question, signal) => {
    const id = ++count;
    send({ call: "ask", id, question });
    signal.addEventListener("abort", () => send({ call: "abort", id }));
    const reply = await next(`answer ${id}`);
    return "answer" in reply ? (reply.answer ?? undefined) : undefined;
  };
  return {
    ask,
    notify: (message, level) => send({ call: "notify", message, level }),
    status: (slot, text) => send({ call: "status", slot, text: text ?? null }),
    widget: (slot, lines) => send({ call: "widget", slot, lines: lines ?? null }),
  };
}
