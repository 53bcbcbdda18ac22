// Runs git: one asynchronous process per call, no pager, no prompt, and none of the caller's GIT_DIR or GIT_INDEX_FILE.
// Output is read as bytes (see paths.ts), for a path need not be UTF-8.

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OutsideFailure } from "../../../../ports/failure.ts";
import { runShort } from "../../../process/short-commands.ts";
import { endProcess } from "../../../process/tree.ts";
import {
  type GitSurroundings,
  inheritedVariables,
  ownVariables,
  quietGit,
  unwatchedGit,
  variablesFor,
} from "./environment.ts";
import { removeOrphanedLock } from "./orphaned-lock.ts";
import { lateCode, lateText, limitOf, withLimit } from "./patience.ts";

export interface GitOptions extends GitSurroundings {
  /** Bytes for stdin. */
  readonly input?: string;
  /** Stop reading, and git, after so many bytes of output. */
  readonly limit?: number;
  /** Exit codes that are answers, besides 0. */
  readonly answers?: readonly number[];
}

export interface GitAnswer {
  readonly code: number;
  /** Bytes. */
  readonly out: string;
  readonly said: string;
  readonly cut: boolean;
}

/** A git command that must not fail has failed: a bug, a broken repository, or another process in the way. */
export class GitFailed extends OutsideFailure {
  readonly answer: GitAnswer;
  constructor(args: readonly string[], answer: GitAnswer) {
    const said = answer.said.trim() || "it said nothing";
    const lines = [`git ${args[0]} failed (exit code ${answer.code}): ${said}`, lockAdvice(said)];
    super("git-failed", lines.filter(Boolean).join("\n"));
    this.answer = answer;
  }
}

/** git could not be started at all. */
export class GitMissing extends OutsideFailure {
  constructor(cause: Error) {
    const advice = "Install git 2.39 or newer and make sure that it is on the PATH.";
    super("git-missing", `git could not be started. ${advice}`, { cause });
  }
}

/** The output of a command that is expected to work. Waits a little for another process that holds a lock. */
export async function git(root: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const answer = await tryGit(root, args, options);
  const isAnswer = answer.code === 0 || answer.cut || options.answers?.includes(answer.code);
  if (!isAnswer) throw new GitFailed(args, answer);
  return answer.out;
}

/** As `git`, for a command whose exit code says something. */
export async function tryGit(root: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await start(root, args, options);
    if (!isLocked(answer)) return answer;
    if (attempt < lockAttempts) await pause(lockPauseMs);
    else if (attempt === lockAttempts + mostLocks || !(await isFreed(root, answer))) return answer;
  }
}

/** One command meets the index and HEAD and a branch, each with a lock of its own. */
const mostLocks = 3;

/** One that was killed has left its lock. */
async function isFreed(root: string, { said }: GitAnswer): Promise<boolean> {
  const lock = lockIn(said);
  return lock !== undefined && removeOrphanedLock(root, lock);
}

export const lockAttempts = 20;
export const lockPauseMs = 100;

/** Says what a failure means when it is a lock that somebody holds, or has left behind; otherwise nothing. */
export function lockAdvice(said: string): string | undefined {
  const file = lockIn(said);
  return file && lockedBy(file);
}

function lockIn(said: string): string | undefined {
  return /Unable to create '([^']+\.lock)': File exists/.exec(said)?.[1];
}

export const lockedBy = (file: string): string =>
  `Another git process is at work in this repository, or one was killed. If none is running, remove ${file}, then try again.`;

/** Only git's own first words count: a hook may print anything. */
function isLocked(answer: GitAnswer): boolean {
  return (
    answer.code !== 0 &&
    /^(fatal|error): ([^\n]*cannot lock ref [^\n]*: )?Unable to create '[^']+\.lock': File exists/.test(answer.said)
  );
}

async function start(root: string, args: readonly string[], options: GitOptions): Promise<GitAnswer> {
  const limitMs = limitOf(options.as === "person");
  return withLimit(verbIn(args), limitMs, async (late) => {
    const answer = await started(root, args, options, late);
    return late.aborted ? { ...answer, code: lateCode, said: `${answer.said}${lateText(limitMs)}` } : answer;
  });
}

/** Past `-c name=value`. */
const verbIn = (args: readonly string[]): string =>
  args.slice(args.lastIndexOf("-c") + 1).find((word) => !word.includes("=") && !word.startsWith("-")) ?? "";

async function started(
  root: string,
  args: readonly string[],
  options: GitOptions,
  late: AbortSignal,
): Promise<GitAnswer> {
  // What may ask the person something needs their terminal.
  if (options.as === "person") return startHere(root, args, options, late);
  const words = ["git", "-C", resolve(root), ...quietGit, ...args];
  const input = options.input === undefined ? {} : { input: Buffer.from(options.input, "latin1") };
  const limit = options.limit === undefined ? {} : { limit: options.limit + 1 };
  const variables = ownVariables(options);
  const end = await runShort({ words, environment: inheritedVariables(), variables, late, ...input, ...limit });
  if (end === undefined) return startHere(root, args, options, late);
  if (end.code === notFound) throw new GitMissing(new Error(end.said.toString("utf8")));
  const cut = options.limit !== undefined && end.out.length > options.limit;
  return { code: end.code, out: end.out.toString("latin1"), said: end.said.toString("utf8"), cut };
}

/** What a shell says of a program that is not there. */
const notFound = 127;

function startHere(root: string, args: readonly string[], options: GitOptions, late: AbortSignal): Promise<GitAnswer> {
  const all = options.as === "person" ? [...unwatchedGit, ...args] : [...quietGit, ...args];
  const env = variablesFor(options);
  return new Promise((resolve, reject) => {
    const child = spawn("git", all, { cwd: root, env, stdio: ["pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const said: Buffer[] = [];
    let size = 0;
    let cut = false;
    child.stdout.on("data", (chunk: Buffer) => {
      if (cut) return;
      out.push(chunk);
      size += chunk.length;
      cut = options.limit !== undefined && size > options.limit;
      if (cut) child.kill();
    });
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    // A git that ends without reading its input says why through its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "", "latin1");
    child.on("error", (error) => reject(new GitMissing(error)));
    const finish = (code: number | null): void => {
      const text = Buffer.concat(out).toString("latin1");
      resolve({ code: code ?? 128, out: text, said: Buffer.concat(said).toString("utf8"), cut });
    };
    child.on("close", finish);
    // A hook that cannot be found any more may still hold the pipes.
    late.addEventListener("abort", () => void endProcess(child.pid ?? 0).then(() => finish(null)), { once: true });
  });
}
