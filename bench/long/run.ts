// A run of many small tasks as a user has it: the built command line, the real pi, real git, and a model on loopback that
// answers at once. Only the phase in which the tasks are built is timed.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { offlineEnvironment, writePiHome } from "../../src/demo/model/pi.ts";
import { serveModel } from "../../src/demo/model/server.ts";
import { exitOf } from "../../test/rig/cli/cli.ts";
import { allAnswers, goal, smallPlay } from "../../test/rig/cli/small-play.ts";
import { piProgram } from "../../test/rig/pi-host/session.ts";
import { makeRepository } from "../../test/rig/small-run.ts";
import type { Call } from "./bare-loop.ts";
import type { Usage } from "./usage.ts";

export interface LongRun {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** From the first task's beginning to the last one's end. */
  readonly wallMs: number;
  /** Of it, the time in which no agent was there. */
  readonly withoutAgentsMs: number;
  readonly calls: readonly Call[];
  readonly gitProcesses: number;
  readonly usage: Usage;
  /** The first request of each dispatch. */
  readonly openings: readonly Opening[];
  /** What the program wrote, and each of its gits. */
  readonly bytes: number;
}

export interface Opening {
  readonly role: string;
  /** What a model is sent, in the order in which providers cache it: tools, system text, messages. */
  readonly text: string;
}

export interface LongRunOptions {
  readonly folder: string;
  /** The file of the command line. */
  readonly program: string;
  readonly tasks: number;
  /** What the repository has beside a README when the run begins, by path. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * `watched`: agents through a wrapper that writes down when each began and ended, and no spares. `counted`: each git as well, which makes
   * it take twice as long. `usual`: as people have it.
   */
  readonly how: "watched" | "counted" | "usual";
  /** The file of pi, or of its quick stand-in where only what superteam does is looked at. */
  readonly pi: string;
  /** How many processes each git command takes: more than one when a slowdown is planted. */
  readonly strain: number;
}

export async function longRun(options: LongRunOptions): Promise<LongRun> {
  const { folder, program, tasks, files, how, pi, strain } = options;
  const openings: Opening[] = [];
  const server = await serveModel(smallPlay(undefined, tasks), (body, { turn, header }) => {
    if (turn === 0 && header) openings.push({ role: header.role, text: asCached(body) });
  });
  const root = join(folder, "repository");
  makeRepository(root, files);
  await writePiHome(join(folder, "pi"), server.url, "anthropic");
  const seen = join(folder, "seen");
  for (const name of ["config/superteam", "seen", "bin"]) mkdirSync(join(folder, name), { recursive: true });
  const [isWatched, isCounted] = [how !== "usual", how === "counted"];
  if (isWatched)
    writeFileSync(join(folder, "config/superteam/config.json"), JSON.stringify({ execution: { warmSpares: false } }));
  const environment = {
    ...offlineEnvironment,
    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
    HOME: folder,
    LC_ALL: "C.UTF-8",
    XDG_CONFIG_HOME: join(folder, "config"),
    PI_CODING_AGENT_DIR: join(folder, "pi"),
    no_proxy: "127.0.0.1",
    BENCH_USAGE: join(folder, "usage.json"),
    SUPERTEAM_PI: isWatched ? piWrapper(folder, seen, pi) : pi,
  };
  if (isCounted || strain > 1) gitWrapper(folder, strain);
  const answers = join(folder, "answers.json");
  writeFileSync(answers, JSON.stringify(allAnswers));
  const exit = await exitOf(
    started(program, ["-C", root, "run", goal, "--answers", answers, "--trust", "--budget", "100"], environment),
  );
  if (exit.code !== 0) throw new Error(`The run should finish:\n${exit.stderr}`);
  const { from, until } = executing(root);
  const usage: Usage = JSON.parse(readFileSync(environment.BENCH_USAGE, "utf8"));
  const gitProcesses = isCounted ? statSync(join(folder, "git.log")).size : Number.NaN;
  return {
    root,
    environment,
    wallMs: until - from,
    withoutAgentsMs: until - from - union(intervals(seen), from, until),
    calls: callsIn(seen, root, pi),
    gitProcesses,
    usage,
    openings,
    bytes: isCounted ? usage.writtenBytes + (await writtenByGits(folder, gitProcesses)) : Number.NaN,
  };
}

function asCached(body: string): string {
  const { tools, system, messages } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return JSON.stringify([tools, system, messages]);
}

export function started(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const options = ["--import", join(import.meta.dirname, "usage.ts")];
  return spawn(process.execPath, [...options, program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Writes down when each pi began and ended, its arguments and its prompt. pi boots while the prompt is awaited, as without it. */
function piWrapper(folder: string, seen: string, pi: string): string {
  const file = join(folder, "bin/pi-watched");
  const call = `'${process.execPath}' '${pi}'`;
  const script = `#!/bin/bash
case "$*" in
  *--version*) exec '${process.execPath}' '${piProgram}' --version ;;
  *--list-models*) exec ${call} "$@" ;;
esac
from=$EPOCHREALTIME
tee '${seen}'/$$.in | ${call} "$@"
code=\${PIPESTATUS[1]}
printf '%s\\0' "$from" "$EPOCHREALTIME" "$@" > '${seen}'/$$.call
exit $code
`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
}

/** Writes down each process as it begins, one byte for each, and what it has written when it has ended. */
function gitWrapper(folder: string, strain: number): void {
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const more = `printf . >> '${folder}/git.log'; '${git}' --version > /dev/null\n`.repeat(strain - 1);
  const script = `#!/bin/sh
${more}printf . >> '${folder}/git.log'
'${git}' "$@"
code=$?
while read -r name count; do
  if [ "$name" = wchar: ]; then echo "$count" >> '${folder}/git-bytes.log'; fi
done < /proc/$$/io
exit $code
`;
  writeFileSync(join(folder, "bin/git"), script, { mode: 0o755 });
}

/** Some gits end when superteam has. */
async function writtenByGits(folder: string, processes: number): Promise<number> {
  for (;;) {
    const counts = readFileSync(join(folder, "git-bytes.log"), "utf8").trim().split("\n");
    if (counts.length >= processes) return counts.reduce((sum, count) => sum + Number(count), 0);
    await pause(20);
  }
}

interface Interval {
  readonly from: number;
  readonly until: number;
}

/** From the first agent's order in `execute` to the end of that phase, by the journal's clock. */
function executing(root: string): Interval {
  const runs = join(root, ".git/superteam/runs");
  const [run = ""] = readdirSync(runs);
  const entries = readFileSync(join(runs, run, "journal.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"scope":"execute"'))
    .map((line) => JSON.parse(line).entry);
  const at = (type: string): number => Number(entries.find((entry) => entry.type === type)?.at);
  return { from: at("enter"), until: at("leave") };
}

function recorded(seen: string) {
  return readdirSync(seen)
    .filter((name) => name.endsWith(".call"))
    .map((name) => {
      const [from, until, ...args] = readFileSync(join(seen, name), "utf8").split("\0").slice(0, -1);
      return {
        from: Number(from) * 1000,
        until: Number(until) * 1000,
        args,
        stdin: join(seen, name.replace("call", "in")),
      };
    })
    .sort((left, right) => left.from - right.from);
}

const intervals = (seen: string): readonly Interval[] => recorded(seen);

/** The calls that tasks made. */
function callsIn(seen: string, cwd: string, pi: string): readonly Call[] {
  return recorded(seen)
    .filter(({ stdin }) => readFileSync(stdin, "utf8").includes("step=execute/"))
    .map(({ args, stdin }) => ({ command: process.execPath, args: [pi, ...args], cwd, stdin }));
}

/** How much of a time is covered, what overlaps counted once. */
function union(covered: readonly Interval[], from: number, until: number): number {
  let [sum, reached] = [0, from];
  for (const one of covered) {
    const end = Math.min(one.until, until);
    if (end <= reached) continue;
    sum += end - Math.max(one.from, reached);
    reached = end;
  }
  return sum;
}
