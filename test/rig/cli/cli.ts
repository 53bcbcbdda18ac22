// The real command line as a child process, in a repository and an environment of its own: a scripted model on
// loopback behind pi or its quick stand-in, no keys, no configuration of whoever runs the tests.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFileJournal } from "../../../src/adapters/journal/scan.ts";
import { offlineEnvironment, writePiHome } from "../../../src/demo/model/pi.ts";
import type { ModelPlay } from "../../../src/demo/model/play.ts";
import { type ModelServer, serveModel } from "../../../src/demo/model/server.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { guardedPiFile, quickPiFile } from "../agents/backends.ts";
import { bundled } from "../bundled.ts";
import { makeRepository } from "../small-run.ts";
import { smallPlay } from "./small-play.ts";

export const project = fileURLToPath(new URL("../../../", import.meta.url));
export const program = bundled("scripts/superteam.mjs");

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly play?: ModelPlay;
  /** Where the repository is made; a folder of its own unless said otherwise. */
  readonly root?: string;
  /** Whether commands are given `--trust`: they are unless said otherwise. */
  readonly trust?: boolean;
  /** Whose agents: those of the quick pi, unless the test is about pi or its guard, or has its model fail. */
  readonly pi?: "real" | "guarded";
  /** Begins with a copy of another one's folder. */
  readonly from?: string;
  /** Its folder is there until the process ends. */
  readonly isKept?: boolean;
}

/** Opens a command line that is gone, with all it wrote, when the test ends. */
export async function openCli(
  context: { after(act: () => Promise<void>): void },
  options: CliOptions = {},
): Promise<Cli> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-cli-"));
  const server = await serveModel(options.play ?? smallPlay());
  context.after(async () => {
    await server.close();
    if (options.isKept !== true) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  if (options.isKept === true) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (options.from !== undefined) copyTree(options.from, folder);
  await writePiHome(join(folder, "pi"), server.url, "anthropic");
  mkdirSync(join(folder, "config/superteam"), { recursive: true });
  // A spare would only cost time here.
  writeFileSync(join(folder, "config/superteam/config.json"), JSON.stringify({ execution: { warmSpares: false } }));
  const root = options.root ?? join(folder, "repository");
  if (options.from === undefined) makeRepository(root);
  return new Cli(folder, root, server, { trust: options.trust ?? true, pi: options.pi ?? "quick" });
}

/** Node keeps what it compiled, here as for the tests themselves: a program of many files starts in half the time. */
const compileCache = Object.fromEntries(Object.entries(process.env).filter(([name]) => name === "NODE_COMPILE_CACHE"));

const programs = {
  quick: { SUPERTEAM_PI: quickPiFile },
  guarded: { SUPERTEAM_PI: guardedPiFile },
  real: {},
} as const;

export class Cli {
  readonly folder: string;
  readonly root: string;
  readonly server: ModelServer;
  readonly environment: Readonly<Record<string, string>>;

  readonly #options: { readonly trust: boolean; readonly pi: keyof typeof programs };

  constructor(
    folder: string,
    root: string,
    server: ModelServer,
    options: { readonly trust: boolean; readonly pi: keyof typeof programs },
  ) {
    this.#options = options;
    this.folder = folder;
    this.root = root;
    this.server = server;
    this.environment = {
      ...offlineEnvironment,
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      LC_ALL: "C.UTF-8",
      XDG_CONFIG_HOME: join(folder, "config"),
      PI_CODING_AGENT_DIR: join(folder, "pi"),
      no_proxy: "127.0.0.1",
      NO_PROXY: "127.0.0.1",
      ...compileCache,
      ...programs[options.pi],
    };
  }

  /** The same repository at the same point, somewhere else. */
  copy(name: string): Cli {
    const root = join(this.folder, name);
    copyTree(this.root, root);
    return new Cli(this.folder, root, this.server, this.#options);
  }

  go(...args: readonly string[]): Promise<Exit> {
    return exitOf(this.start(args));
  }

  start(args: readonly string[], changes: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [program, "-C", this.root, ...this.trusting(args)], {
      env: { ...this.environment, ...changes },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** The repository's check is the test's own: a run is not to ask about it, unless trust is what is tested. */
  trusting(args: readonly string[]): readonly string[] {
    const drives = args.some((word) => ["run", "resume", "answer"].includes(word));
    return this.#options.trust && drives ? [...args, "--trust"] : args;
  }

  /** Writes a file beside the repository and gives its path. */
  beside(name: string, value: unknown): string {
    const path = join(this.folder, name);
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
    return path;
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], { encoding: "utf8" }).trim();
  }

  file(path: string): string | undefined {
    const full = join(this.root, path);
    return existsSync(full) ? readFileSync(full, "utf8") : undefined;
  }

  /** The folder of the last run. */
  get run(): string {
    const runs = join(this.root, ".git/superteam/runs");
    const all = existsSync(runs) ? readdirSync(runs).sort() : [];
    // Runs of one second have no order by name.
    return join(runs, all.find((name) => name === this.active) ?? all.at(-1) ?? "none");
  }

  get active(): string | undefined {
    return this.file(".git/superteam/active")?.trim();
  }

  async entries(): Promise<readonly Entry[]> {
    return (await readFileJournal(this.run)).entries;
  }

  /** What superteam may leave in a tree that has no run: nothing. */
  traces(): readonly string[] {
    const own = [".superteam", ".superteam-workflow.json", ".git/superteam/active", ".git/superteam/lock"];
    const runs = join(this.root, ".git/superteam/runs");
    return [
      ...own.filter((path) => existsSync(join(this.root, path))),
      ...(existsSync(runs) ? readdirSync(runs).map((run) => `run ${run}`) : []),
    ];
  }
}

function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

export function exitOf(child: ChildProcess): Promise<Exit> {
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString("utf8");
  });
  return new Promise((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stdout: stdout?.() ?? "", stderr: stderr?.() ?? "" })),
  );
}
