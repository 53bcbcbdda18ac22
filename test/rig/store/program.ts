// A child process that is told what to do line by line, and answers line by line.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { TestContext } from "node:test";

export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Sends a command and gives the next answer. */
  tell(command: string): Promise<Answer>;
  /** Kills it with SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

// An answer is read by tests alone, which compare it with what they expect.
export type Answer = Readonly<Record<string, unknown>>;

/** Starts a program of this folder that begins by saying it is ready. It is killed when the test is over. */
export async function start(t: TestContext, name: string, ...args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "close");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  t.after(kill);
  const lines = linesOf(child.stdout);
  const answer = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended without an answer`);
    return JSON.parse(value);
  };
  await answer();
  return {
    child,
    pid: child.pid ?? 0,
    tell(command) {
      child.stdin.write(`${command}\n`);
      return answer();
    },
    kill,
  };
}

/** Split on LF alone: `readline` would also split at U+2028. */
async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
