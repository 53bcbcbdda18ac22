// Runs a command line through the shell, in the working tree. Only the exit code counts (T3); the end of the output is for
// people and agents to read.

import { mkdir } from "node:fs/promises";
import { redactor } from "../../core/text/secrets.ts";
import type { CheckRun, Checks } from "../../ports/checks.ts";
import { capture } from "../process/capture.ts";
import { allowedEnvironment } from "../process/environment.ts";
import { commandFiles } from "./command-files.ts";
import { type RunCommand, runTests } from "./test-run.ts";

export interface ShellChecksOptions {
  readonly cwd: string;
  /** Names of variables to pass on beyond those a shell needs. */
  readonly environment: readonly string[];
  readonly timeoutMs?: number;
}

export function shellChecks(options: ShellChecksOptions): Checks {
  return {
    async run(command, signal, { tests = false, only = [], folder } = {}): Promise<CheckRun> {
      if (folder !== undefined) await mkdir(folder, { recursive: true });
      const inShell: RunCommand = (order) => runInShell(options, { ...order, folder }, signal);
      if (tests) return runTests(options.cwd, { command, only }, inShell);
      const { stdout: _, redact: __, ...run } = await inShell({ command, environment: {}, keepsStdout: false });
      return run;
    },
    files: (command) => Promise.resolve(commandFiles(options.cwd, command)),
  };
}

async function runInShell(
  { cwd, environment, timeoutMs = tenMinutes }: ShellChecksOptions,
  { folder, ...order }: Parameters<RunCommand>[0] & { readonly folder: string | undefined },
  signal: AbortSignal,
): ReturnType<RunCommand> {
  const started = performance.now();
  const allowed = allowedEnvironment(process.env, environment);
  const redact = redactor(allowed);
  const env = { ...allowed, ...joined(allowed, order.environment) };
  const launch = { command: "/bin/sh", args: ["-c", order.command], cwd, env };
  const kept = { keep: outputLimit, ...(order.keepsStdout ? { keepStdout: reportLimit } : {}) };
  const limits = { timeoutMs, ...kept, ...(folder === undefined ? {} : { folder }) };
  const captured = await capture(launch, limits, signal);
  const durationMs = Math.round(performance.now() - started);
  const common = { durationMs, redact };
  if (!captured.started) {
    const output = `The command could not be started in ${cwd}: ${captured.detail}`;
    return { exitCode: null, signal: null, timedOut: false, output, stdout: "", ...common };
  }
  const { exit, timedOut, stdout } = captured;
  return {
    exitCode: exit.how === "exited" ? exit.code : null,
    signal: exit.how === "killed" ? exit.signal : null,
    timedOut,
    output: redact(captured.output),
    stdout,
    ...common,
  };
}

/** What the person set stays in front. */
function joined(
  allowed: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(added).map(([name, value]) => [name, `${allowed[name] ?? ""} ${value}`.trim()]);
  return Object.fromEntries(entries);
}

const tenMinutes = 10 * 60_000;
const outputLimit = 64 * 1024;
const reportLimit = 64 * 1024 * 1024;
