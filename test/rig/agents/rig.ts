// What a test of an agents adapter works with: the agents, playing one script, in a folder of their own.

import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { birthOf } from "../../../src/adapters/process/table.ts";
import type { AgentEvent, AgentOrder, Agents } from "../../../src/ports/agents.ts";
import type { HostSetup } from "./host.ts";

/** One backend playing one script, whatever it is asked. */
export interface Backend {
  readonly agents: Agents;
  /** The prompt as it reached the agent's model. */
  received(order: AgentOrder): Promise<string>;
  /** How a process of its own makes the same agents. */
  readonly host: HostSetup;
  close(): Promise<void>;
}

export type MakeBackend = (script: Script, folder: string) => Promise<Backend>;

export interface Rig extends Backend {
  /** The agents' working directory. */
  readonly cwd: string;
  order(changes?: Partial<AgentOrder>): AgentOrder;
}

export async function withRig(make: MakeBackend, script: Script, use: (rig: Rig) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-agents-"));
  const cwd = join(folder, "tree");
  await mkdir(cwd);
  const backend = await make(script, folder);
  let count = 0;
  const order = (changes: Partial<AgentOrder> = {}): AgentOrder => {
    const id = `${++count}-tester`;
    return { ...plainOrder, id, cwd, folder: join(folder, "dispatches", id), ...changes };
  };
  try {
    await use({ ...backend, cwd, order });
  } finally {
    await backend.agents.close();
    await backend.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const plainOrder = {
  role: "tester",
  prompt: "[superteam] run=r1 role=tester step=rig attempt=1\n\nDo it.\n",
  system: "You test.",
  context: "",
  capabilities: ["read", "run", "write"],
  model: null,
  thinking: "off",
  timeoutMs: 60_000,
  stuckMs: 60_000,
  silentMs: 60_000,
  environment: [],
} as const;

export const never = new AbortController().signal;

export async function eventsOf(stream: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

type Ending = Extract<AgentEvent, { readonly type: "finished" | "failed" }>;

/** The last event, which must be the verdict, and the only one. */
export function verdictOf(events: readonly AgentEvent[]): Ending {
  const verdicts = events.filter((event): event is Ending => event.type === "finished" || event.type === "failed");
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length !== 1 || events.at(-1) !== verdict) {
    throw new Error(`not one verdict at the end: ${JSON.stringify(events)}`);
  }
  return verdict;
}

/** Waits until the agent has written its number into a file. */
export async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(file, "utf8").catch(() => ""));
    if (pid > 0) return pid;
    await pause(10);
  }
}

export async function isAlive(pid: number): Promise<boolean> {
  return (await birthOf(pid)) !== "";
}

export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}
