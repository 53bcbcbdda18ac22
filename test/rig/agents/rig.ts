// What a test of an agents adapter works with: the agents, playing one script, in a folder of their own.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import { birthOf } from "../../../src/adapters/process/table.ts";
import type { AgentEvent, AgentMark, AgentOrder, Agents } from "../../../src/ports/agents.ts";
import type { Backend, Variables } from "../../../src/ports/backend.ts";
import type { HostSetup } from "./host.ts";

/** One backend playing one script, whatever it is asked. */
export interface StagedBackend {
  readonly backend: Backend;
  /** With which the backend finds itself here. */
  readonly env: Variables;
  readonly agents: Agents;
  /** The prompt as it reached the agent's model. */
  received(order: AgentOrder): Promise<string>;
  /** How a process of its own makes the same agents. */
  readonly host: HostSetup;
  close(): Promise<void>;
}

export type MakeBackend = (script: Script, folder: string) => Promise<StagedBackend>;

export interface Rig extends StagedBackend {
  /** The agents' working directory. */
  readonly cwd: string;
  order(changes?: Partial<AgentOrder>): AgentOrder;
}

export async function withRig(make: MakeBackend, script: Script, use: (rig: Rig) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "superteam-agents-"));
  const cwd = join(folder, "tree");
  await mkdir(cwd);
  const staged = await make(script, folder);
  let count = 0;
  const order = (changes: Partial<AgentOrder> = {}): AgentOrder => {
    const id = `${++count}-tester`;
    return { ...plainOrder, id, cwd, backend: staged.backend.name, folder: join(folder, "dispatches", id), ...changes };
  };
  try {
    await use({ ...staged, cwd, order });
  } finally {
    await staged.agents.close();
    await staged.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const plainOrder = {
  role: "tester",
  prompt: "Do it.\n\n[superteam] run=r1 role=tester step=rig attempt=1\n",
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

/** Without what tools print while they run: that depends on when the program looks. */
export async function eventsOf(stream: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) if (event.type !== "output") events.push(event);
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

export async function isAlive(pid: number): Promise<boolean> {
  return (await birthOf(pid)) !== "";
}

/** The process of a dispatch, from its first event. */
export function markIn(events: readonly AgentEvent[]): AgentMark {
  const first = events[0];
  assert.equal(first?.type, "spawned");
  return first.process;
}
