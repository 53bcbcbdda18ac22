// Runs a command line through the shell, in the working tree. Only the exit code counts (T3); the end of the output is for
// people and agents to read.

import type { CheckRun, Checks } from "../../ports/checks.ts";
import { capture } from "../process/capture.ts";
import { allowedEnvironment } from "../process/environment.ts";
import { redactor } from "../process/secrets.ts";

export interface ShellChecksOptions {
  readonly cwd: string;
  /** Names of variables to pass on beyond those a shell needs. */
  readonly environment: readonly string[];
  readonly timeoutMs?: number;
}

export function shellChecks({ cwd, environment, timeoutMs = tenMinutes }: ShellChecksOptions): Checks {
  return {
    async run(command, signal): Promise<CheckRun> {
      const started = performance.now();
      const env = allowedEnvironment(process.env, environment);
      const order = { command: "/bin/sh", args: ["-c", command], cwd, env };
      const captured = await capture(order, { timeoutMs, keep: outputLimit }, signal);
      const durationMs = Math.round(performance.now() - started);
      if (!captured.started) {
        const output = `The command could not be started in ${cwd}: ${captured.detail}`;
        return { exitCode: null, signal: null, timedOut: false, output, durationMs };
      }
      const { exit, timedOut } = captured;
      return {
        exitCode: exit.how === "exited" ? exit.code : null,
        signal: exit.how === "killed" ? exit.signal : null,
        timedOut,
        output: redactor(env)(captured.output),
        durationMs,
      };
    },
  };
}

const tenMinutes = 10 * 60_000;
const outputLimit = 64 * 1024;
