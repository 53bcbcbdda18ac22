// A run of the demo's scenario through the real command line, with the real pi, that a test can kill and resume. The
// scripted model lives in the test's process and outlasts every kill.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFileJournal } from "../../../src/adapters/journal/scan.ts";
import { demoAnswers } from "../../../src/demo/answers.ts";
import { type Demo, openDemo } from "../../../src/demo/open.ts";
import { goal } from "../../../src/demo/scenario/brainstorm-texts.ts";
import { demoPlay } from "../../../src/demo/scenario/play.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import { bundled } from "../bundled.ts";

const program = bundled("test/rig/crash/killable.ts");

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

export class DemoRun {
  readonly demo: Demo;
  readonly #folder: string;
  readonly #answers: string;

  constructor(folder: string, demo: Demo, answers: string) {
    this.#folder = folder;
    this.demo = demo;
    this.#answers = answers;
  }

  static async open(): Promise<DemoRun> {
    const folder = await mkdtemp(join(tmpdir(), "superteam-crash-"));
    const demo = await openDemo(folder, demoPlay({ latencyMs: 0 }));
    const answers = join(folder, "answers.json");
    await writeFile(answers, JSON.stringify(demoAnswers));
    await mkdir(join(folder, "config/superteam"), { recursive: true });
    // A spare that dies with each kill would only cost time.
    await writeFile(
      join(folder, "config/superteam/config.json"),
      JSON.stringify({ execution: { warmSpares: false }, review: { planOrder: "sequential" } }),
    );
    return new DemoRun(folder, demo, answers);
  }

  get repository(): string {
    return this.demo.repository;
  }

  /** Starts the run, or goes on with it; with `killAt` it dies at that entry. */
  go(killAt?: string): Promise<Exit> {
    const command = this.#active() ? ["resume"] : ["run", goal];
    return exitOf(this.start([...command, "--answers", this.#answers, "--trust"], killAt));
  }

  start(args: readonly string[], killAt = ""): ChildProcess {
    const env = {
      ...process.env,
      ...this.demo.environment,
      KILL_AT: killAt,
      XDG_CONFIG_HOME: join(this.#folder, "config"),
      NO_COLOR: "1",
    };
    return spawn(process.execPath, [program, "-C", this.repository, ...args], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async entries(): Promise<readonly Entry[]> {
    const runs = join(this.repository, ".git/superteam/runs");
    const [run = ""] = readdirSync(runs);
    return (await readFileJournal(join(runs, run))).entries;
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", ["-C", this.repository, ...args], { encoding: "utf8" }).trim();
  }

  file(path: string): string {
    return readFileSync(join(this.repository, path), "utf8");
  }

  async close(): Promise<void> {
    await this.demo.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #active(): boolean {
    try {
      return readFileSync(join(this.repository, ".git/superteam/active"), "utf8") !== "";
    } catch {
      return false;
    }
  }
}

export function exitOf(child: ChildProcess): Promise<Exit> {
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  child.stdout?.resume();
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stderr })));
}

/** Pids of processes that carry superteam's private tag and work below this folder. */
export function agentsAlive(folder: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => belongsTo(pid, folder)).map(Number);
}

function belongsTo(pid: string, folder: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    return environment.includes("SUPERTEAM_TAG=") && environment.includes(folder);
  } catch {
    // It ended while we looked.
    return false;
  }
}
