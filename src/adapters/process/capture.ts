// Runs a command to its end and keeps the end of what it printed. Nothing of it is left afterwards (E8).

import type { Readable } from "node:stream";
import { type Exit, type Launch, launch, type Running } from "./launch.ts";
import { type Tail, tailOf } from "./tail.ts";

export interface CaptureLimits {
  readonly timeoutMs: number;
  /** Bytes of output to keep. */
  readonly keep: number;
  /** Of stdout, if that is more. */
  readonly keepStdout?: number;
  /** In which it is noted when nothing of it is left, also by the watchdog. */
  readonly folder?: string;
  /** For its stdin. */
  readonly input?: string;
}

export type CapturedRun =
  | {
      readonly started: true;
      readonly exit: Exit;
      readonly timedOut: boolean;
      /** stdout and stderr as they came. */
      readonly output: string;
      readonly stdout: string;
    }
  | { readonly started: false; readonly detail: string };

export async function capture(order: Launch, limits: CaptureLimits, signal: AbortSignal): Promise<CapturedRun> {
  const launched = await launch(order);
  if (!launched.ok) return { started: false, detail: launched.detail };
  const { running } = launched;
  if (limits.folder !== undefined) running.claim(limits.folder);
  running.stdin.end(limits.input);
  const both = tailOf(limits.keep);
  const stdout = tailOf(limits.keepStdout ?? limits.keep);
  const ends = [collect(running.stdout, [both, stdout]), collect(running.stderr, [both])];
  const timedOut = await exitWithin(running, limits.timeoutMs, signal);
  await drained(running, ends);
  return { started: true, exit: await running.exit, timedOut, output: both.text(), stdout: stdout.text() };
}

/** Ends the tree and waits until its output is read. A stray that nobody can find may hold a pipe open: not for ever. */
export async function drained(running: Running, ends: readonly Promise<unknown>[]): Promise<void> {
  await running.end();
  // The timer keeps the program alive: a stream that nobody reads from does not.
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, 1_000);
  await Promise.race([Promise.all(ends), waited.promise]);
  clearTimeout(timer);
  running.stdout.destroy();
  running.stderr.destroy();
}

function collect(stream: Readable, tails: readonly Tail[]): Promise<void> {
  stream.on("data", (chunk: Buffer) => {
    for (const tail of tails) tail.add(chunk);
  });
  return new Promise((resolve) => stream.once("close", resolve));
}

/** Waits for the process itself; ends it on timeout or abort. True when it was the timeout. */
async function exitWithin(running: Running, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const stop = (): void => late.resolve(false);
  const timer = setTimeout(() => late.resolve(true), Math.min(timeoutMs, longest)).unref();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const isLate = await Promise.race([running.exit.then(() => false), late.promise]);
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  return isLate;
}

/** Timers wrap around beyond this. */
const longest = 2 ** 31 - 1;
