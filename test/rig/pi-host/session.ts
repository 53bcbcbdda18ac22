// The real pi with superteam loaded from this project, driven over RPC: what a person would see comes as records, and
// what they would do goes back.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { withBundledParts } from "../bundled.ts";
import { type Cli, project } from "../cli/cli.ts";
import { patienceMs } from "../until.ts";

export const piProgram = fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")).replace(
  /dist[\\/]index\.js$/,
  "dist/bundle/cli.js",
);

/** One record of pi's: of what superteam shows, the fields of `docs/rpc-extension-ui.md`. */
export interface Shown {
  readonly type: string;
  readonly id?: string;
  readonly method?: string;
  readonly title?: string;
  readonly options?: readonly string[];
  readonly placeholder?: string;
  readonly prefill?: string;
  readonly message?: string;
  readonly notifyType?: string;
  readonly statusKey?: string;
  readonly statusText?: string;
  readonly widgetKey?: string;
  readonly widgetLines?: readonly string[];
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly result?: {
    readonly content: readonly { readonly text: string }[];
    readonly usage?: { readonly cost: { readonly total: number }; readonly output: number };
  };
}

export interface SessionOptions {
  /** More arguments for pi, such as another extension. */
  readonly args?: readonly string[];
  /** What is loaded as superteam: this project unless said otherwise, and nothing for null. */
  readonly extension?: string | null;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts pi in the repository of a rig. It is gone when the test ends. */
export function openPi(
  context: { after(act: () => Promise<void>): void },
  cli: Cli,
  options: SessionOptions = {},
): PiSession {
  const { extension = project, args: more = [] } = options;
  const args = ["--mode", "rpc", "--no-session", ...(extension === null ? [] : ["-e", extension]), ...more];
  const child = spawn(process.execPath, [...withBundledParts, piProgram, ...args], {
    cwd: cli.root,
    env: { ...cli.environment, ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const session = new PiSession(child);
  context.after(() => session.end());
  return session;
}

const dialogs = ["select", "confirm", "input", "editor"];

export class PiSession {
  readonly child: ChildProcess;
  readonly records: Shown[] = [];
  stderr = "";
  /** What came out of stdout and is no record. */
  strayOutput = "";
  readonly #gone: Promise<unknown>;
  #waiting: (() => void)[] = [];
  #read = 0;
  #sent = 0;
  #ended = false;

  constructor(child: ChildProcess) {
    this.child = child;
    this.#gone = once(child, "close").then(() => {
      this.#ended = true;
      this.#wake();
    });
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
      this.#wake();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  #take(line: string): void {
    if (line.startsWith('{"')) this.records.push(JSON.parse(line) as Shown);
    else this.strayOutput += line;
  }

  /** Types a line. Resolves when pi has handled it. */
  async type(message: string): Promise<void> {
    await this.ask({ type: "prompt", message });
  }

  /** One command of pi's own protocol, and its response. */
  async ask(command: Readonly<Record<string, unknown>>): Promise<Shown> {
    const id = `test-${++this.#sent}`;
    this.#send({ id, ...command });
    return this.#find(
      () => this.records.find((record) => record.type === "response" && record.id === id),
      "a response",
    );
  }

  /** The next question, after those that were shown before. */
  async dialog(): Promise<Shown> {
    const isDialog = ({ method = "" }: Shown): boolean => dialogs.includes(method);
    const at = await this.#find(() => {
      const found = this.records.findIndex((record, index) => index >= this.#read && isDialog(record));
      return found < 0 ? undefined : found;
    }, "a question");
    this.#read = at + 1;
    return this.records[at] ?? { type: "none" };
  }

  answer({ id }: Shown, value: string): void {
    this.#send({ type: "extension_ui_response", id, value });
  }

  /** What Escape is at a terminal. */
  close({ id }: Shown): void {
    this.#send({ type: "extension_ui_response", id, cancelled: true });
  }

  /** Forgets what was shown, so that only what comes from now on is found. */
  forget(): void {
    this.records.length = 0;
    this.#read = 0;
  }

  /** Also of one that a test has killed, and whose end is only about to be noticed. */
  get hasEnded(): boolean {
    return this.#ended || this.child.killed;
  }

  /** A notification that says this, whenever it came. */
  told(what: RegExp): Promise<Shown> {
    const says = ({ method, message = "" }: Shown): boolean => method === "notify" && what.test(message);
    return this.until(says, String(what));
  }

  /** Whether a record came after now. */
  fromNow(): (record: Shown) => boolean {
    const seen = new Set(this.records);
    return (record) => !seen.has(record);
  }

  until(holds: (record: Shown) => boolean, what: string): Promise<Shown> {
    return this.#find(() => this.records.find(holds), what);
  }

  /** Closes pi's input and waits for its end: how a client asks for an orderly one. */
  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.#gone;
  }

  #send(record: Readonly<Record<string, unknown>>): void {
    this.child.stdin?.write(`${JSON.stringify(record)}\n`);
  }

  async #find<T>(look: () => T | undefined, what: string): Promise<T> {
    const limit = setTimeout(() => this.#wake(), patienceMs);
    const since = Date.now();
    try {
      for (;;) {
        const found = look();
        if (found !== undefined) return found;
        const waited = Date.now() - since >= patienceMs ? "nothing came" : undefined;
        const why = this.#ended ? "pi has ended" : waited;
        if (why) throw new Error(`${why} instead of ${what}.\n${this.stderr}\n${this.#tail()}`);
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      clearTimeout(limit);
    }
  }

  #tail(): string {
    return this.records
      .slice(-12)
      .map((record) => JSON.stringify(record).slice(0, 300))
      .join("\n");
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** Waits until a run has been suspended so often. */
export async function rested(pi: PiSession, times: number): Promise<void> {
  const rests = (): number =>
    pi.records.filter(({ message = "" }) => message.startsWith("The run is suspended.")).length;
  await pi.until(() => rests() >= times, `rest ${times}`);
}
