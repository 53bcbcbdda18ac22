// Follows one agent process from its start until none of its processes is left, and reports what it does. The backend's reader
// makes sense of the stream; time, abort, files and the end of the process tree are the same for every backend.

import { setMaxListeners } from "node:events";
import type { DispatchFailureKind } from "../../core/flow/dispatch.ts";
import type { AgentEvent, AgentOrder } from "../../ports/agents.ts";
import { drained } from "../process/capture.ts";
import type { Exit, Running } from "../process/launch.ts";
import { strayText } from "../process/strays.ts";
import type { DispatchFolder } from "./dispatch-folder.ts";
import { type StreamItem, streamQueueOf } from "./stream-queue.ts";
import { type TimeVerdict, timeLimitsOf } from "./time-limits.ts";

/** Why superteam stopped an agent. */
export interface Stop {
  readonly kind: DispatchFailureKind;
  readonly detail: string;
}

export interface AgentEnding {
  readonly exit: Exit;
  readonly stop: Stop | undefined;
  /** The end of stderr. */
  readonly stderr: string;
}

/** Understands one backend's stream. */
export interface StreamReader {
  read(bytes: Buffer): readonly AgentEvent[];
  /** Whether a tool runs now. */
  readonly busy: boolean;
  /** Why the agent has to be stopped at once, if it has. */
  readonly halt: Stop | undefined;
  /** The last events; the very last is `finished` or `failed`. */
  close(ending: AgentEnding): readonly AgentEvent[];
}

export interface Supervised {
  readonly order: AgentOrder;
  readonly running: Running;
  readonly reader: StreamReader;
  readonly folder: DispatchFolder;
}

export async function* supervise(agent: Supervised, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
  const { order, running, reader, folder } = agent;
  try {
    yield { type: "spawned", process: { ...running.mark, backend: order.backend } };
    // M1, E8: by now the process is on record. One that is to be stopped before it was asked anything costs nothing.
    if (!signal.aborted) running.stdin.end(order.prompt);
    const outliving = "If superteam is killed now, this agent keeps running";
    if (running.unwatched !== undefined) yield { type: "trouble", detail: `${outliving}: ${running.unwatched}.` };
    const stop = yield* follow(agent, signal);
    const survivors = await running.end();
    for (const detail of folder.close()) yield { type: "trouble", detail };
    if (survivors.length > 0) yield { type: "trouble", detail: `Could not be ended: process ${survivors.join(", ")}.` };
    for (const stray of await running.strays()) yield { type: "trouble", detail: strayText(stray) };
    yield* reader.close({ exit: await running.exit, stop, stderr: folder.stderr.text() });
  } finally {
    // Also when nobody listens any more.
    await drained(running, []);
    folder.close();
  }
}

/** Tells what is heard until the stream is over. Returns why the agent was stopped, if it was. */
async function* follow(agent: Supervised, signal: AbortSignal): AsyncGenerator<AgentEvent, Stop | undefined> {
  const { order, running, reader, folder } = agent;
  const queue = streamQueueOf(running.stdout);
  const errors = keepErrors(agent);
  const limits = timeLimitsOf(order, performance.now());
  let over = false;
  const finish = async (): Promise<void> => {
    await running.end();
    over = true;
    queue.nudge();
  };
  let ending = running.exit.then(finish);
  let stop: Stop | undefined;
  // Many agents may share one signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", queue.nudge, { once: true });
  for (let item = nudge; item.type !== "end"; ) {
    if (stop === undefined && !over) {
      const verdict = limits.judge(performance.now(), reader.busy);
      if (verdict.type === "silent") yield verdict;
      stop = reader.halt ?? (signal.aborted ? aborted : impatience(verdict.type, order));
      if (stop !== undefined) ending = finish();
    }
    item = await queue.next(over ? strayMs : stop ? forever : limits.wait(performance.now(), reader.busy));
    // Nothing of the agent is left, yet somebody holds its end of the pipe: there is nothing to wait for.
    if (over && item.type === "late") running.stdout.destroy();
    if (item.type !== "bytes") continue;
    limits.sign(performance.now());
    folder.writeStream(item.bytes);
    yield* reader.read(item.bytes);
  }
  signal.removeEventListener("abort", queue.nudge);
  await ending;
  await drained(running, [errors]);
  return stop;
}

const strayMs = 1_000;
const forever = Number.POSITIVE_INFINITY;
const nudge: StreamItem = { type: "nudge" };
const aborted: Stop = { kind: "aborted", detail: "superteam stopped the agent." };

function impatience(kind: TimeVerdict["type"], order: AgentOrder): Stop | undefined {
  if (kind === "stuck") {
    return { kind, detail: `The agent was silent for ${inMinutes(order.stuckMs)} and was stopped.` };
  }
  if (kind === "timed-out") {
    return { kind, detail: `The agent was still at work after ${inMinutes(order.timeoutMs)} and was stopped.` };
  }
  return undefined;
}

function inMinutes(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} seconds` : `${Math.round(ms / 6_000) / 10} minutes`;
}

function keepErrors({ running, folder }: Supervised): Promise<void> {
  running.stderr.on("data", folder.writeErrors);
  return new Promise((resolve) => running.stderr.once("close", resolve));
}
