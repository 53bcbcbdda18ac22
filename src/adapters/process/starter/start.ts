// Starts processes through a small process that does nothing else. To start one, Node copies the page tables of all its memory on its main
// thread (9 ms at 160 MB), and each page is slower to write to afterwards. The small process needs a fraction of that, and not on our thread.
//
// A run with few processes starts them itself. So does every run if the small process cannot be started.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tagVariable } from "../tree.ts";
import type { StarterOrder, StartOrder, StartReport } from "./messages.ts";

type Order = Omit<StartOrder, "type" | "id" | "socket" | "names">;

/** A process with its ends of the three sockets. */
interface SmallStart {
  readonly pid: number;
  readonly birth: string;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly exit: Promise<Ended>;
}

export type Ended = Pick<StartReport & { readonly type: "ended" }, "code" | "signal">;

/** How many processes are started without it. */
const few = 8;
let started = 0;
let starter: Starter | undefined;

/** A text says why the process could not be started. Undefined when it is the caller's to start it. */
export async function startSmall(order: Order, after = few): Promise<SmallStart | string | undefined> {
  if (++started <= after || !isPossible) return undefined;
  starter ??= Starter.open();
  return starter?.isReady ? await starter.start(order) : undefined;
}

/** Lets it go while nothing of it is at work. */
export function restStarter(): void {
  starter?.rest();
}

/** `program.ts` beside this file, or `program.js` where both are built. */
const file = fileURLToPath(import.meta.url);
const program = join(file, `../program${extname(file)}`);

/** Elsewhere a process is started without a copy. */
const isPossible =
  process.platform === "linux" &&
  process.versions["bun"] === undefined &&
  (extname(file) === ".js" || Boolean(process.features.typescript));

type Answer = Exclude<StartReport, { readonly type: "ready" | "ended" }>;

interface Waiting {
  readonly started: (report: Answer | undefined) => void;
  readonly ended: (end: Ended) => void;
}

class Starter {
  isReady = false;
  readonly #folder: string;
  readonly #reception: Reception;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  /** Orders without their sockets: a quick process may have ended before they are all accepted. */
  #opening = 0;
  /** Of the next process. */
  #ahead: Ends | undefined;

  /** Undefined without a folder for its sockets. */
  static open(): Starter | undefined {
    const place = join(tmpdir(), "superteam-starter-");
    if (place.length > longestPlace) return undefined;
    try {
      return new Starter(mkdtempSync(place));
    } catch {
      return undefined;
    }
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#reception = new Reception(join(folder, "s"));
    const outer = process.env[tagVariable];
    const env = { PATH: process.env["PATH"] ?? "", ...(outer === undefined ? {} : { [tagVariable]: outer }) };
    // In a session of its own, as what it starts: the person's Ctrl-C is for superteam.
    this.#process = spawn(process.execPath, [program, folder], {
      cwd: "/",
      env,
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.unref();
    this.#process.channel?.unref();
    this.#process.on("message", (report: StartReport) => this.#hear(report));
    this.#process.on("error", () => this.#lost());
    this.#process.on("disconnect", () => this.#lost());
  }

  async start(order: Order): Promise<SmallStart | string | undefined> {
    const id = ++this.#count;
    const ends = this.#ahead ?? this.#reception.expect();
    this.#ahead = undefined;
    const exit = Promise.withResolvers<Ended>();
    this.#opening++;
    try {
      const report = await new Promise<Answer | undefined>((resolve) => {
        this.#waiting.set(id, { started: resolve, ended: exit.resolve });
        this.#process.channel?.ref();
        this.#send({ ...order, ...this.#reached(ends), type: "start", id });
      });
      if (report?.type !== "started") {
        this.#forget(id);
        return report?.type === "failed" ? report.detail : undefined;
      }
      const [stdin, stdout, stderr] = await Promise.all(ends.map(({ socket }) => socket));
      if (stdin === undefined || stdout === undefined || stderr === undefined) return undefined;
      for (const socket of [stdin, stdout, stderr]) socket.ref();
      this.#connectAhead();
      // Nothing is said there; only this way it is noticed that the other end is closed.
      stdin.resume();
      void exit.promise.then(() => stdin.destroy());
      return { pid: report.pid, birth: report.birth, stdin, stdout, stderr, exit: exit.promise };
    } finally {
      this.#opening--;
      for (const { name } of ends) this.#reception.forget(name);
    }
  }

  #connectAhead(): void {
    if (this.#ahead !== undefined || !this.isReady) return;
    this.#ahead = this.#reception.expect();
    this.#send({ ...this.#reached(this.#ahead), type: "connect" });
  }

  #reached(ends: Ends) {
    return { socket: this.#reception.path, names: ends.map(({ name }) => name) };
  }

  #send(order: StarterOrder): void {
    this.#process.send(order, (error) => error && this.#lost());
  }

  rest(): void {
    if (this.#waiting.size === 0 && this.#opening === 0) this.#process.disconnect();
  }

  #hear(report: StartReport): void {
    if (report.type === "ready") {
      this.isReady = true;
      return;
    }
    const waiting = this.#waiting.get(report.id);
    if (report.type === "ended") {
      this.#forget(report.id);
      waiting?.ended(report);
      return;
    }
    waiting?.started(report);
  }

  /** Nothing of it keeps superteam running while nothing of it is at work. */
  #forget(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#process.channel?.unref();
  }

  /** What it has started lives on, and nobody learns when it ends: it counts as killed, and is ended as what an agent leaves. */
  #lost(): void {
    if (starter === this) starter = undefined;
    this.isReady = false;
    this.#reception.close();

    this.#ahead = undefined;
    rmSync(this.#folder, { recursive: true, force: true });
    for (const { started: answer, ended } of this.#waiting.values()) {
      answer(undefined);
      ended({ code: null, signal: "SIGKILL" });
    }
    this.#waiting.clear();
  }
}

/** The system takes no longer one for a socket, with its name of a few letters. */
const longestPlace = 80;

type Ends = readonly { readonly name: string; readonly socket: Promise<Socket> }[];

/** Takes the connections that the starter makes: each says first which one it is. */
class Reception {
  readonly path: string;
  readonly #server: Server;
  readonly #expected = new Map<string, (socket: Socket) => void>();

  constructor(path: string) {
    this.path = path;
    this.#server = createServer((socket) => void this.#receive(socket));
    // A path that cannot be listened on cannot be connected to either.
    this.#server.on("error", () => undefined);
    this.#server.listen(path).unref();
  }

  /** The three of one process. */
  expect(): Ends {
    return [1, 2, 3].map(() => {
      const name = randomUUID();
      return { name, socket: new Promise<Socket>((resolve) => this.#expected.set(name, resolve)) };
    });
  }

  forget(name: string): void {
    this.#expected.delete(name);
  }

  /** What is still expected does not come any more: those get a socket that ends at once. */
  close(): void {
    this.#server.close();
    for (const taken of this.#expected.values()) taken(endedSocket());
    this.#expected.clear();
  }

  async #receive(socket: Socket): Promise<void> {
    socket.on("error", () => socket.destroy());
    const name = await firstLine(socket);
    const taken = this.#expected.get(name);
    this.#expected.delete(name);
    // It may wait for its process: superteam does not.
    if (taken) taken(socket.unref());
    else socket.destroy();
  }
}

/** It closes after its owner has begun to listen. */
function endedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy());
  return socket;
}

/** What follows it stays to be read. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let line = "";
    const read = (): void => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        const end = chunk.indexOf("\n");
        line += chunk.toString("latin1", 0, end < 0 ? chunk.length : end);
        if (end < 0) continue;
        socket.off("readable", read);
        if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
        resolve(line);
        return;
      }
    };
    socket.on("readable", read);
  });
}
