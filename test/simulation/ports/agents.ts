// Agents as processes of the machine. They act one step per turn, are paid for every turn, and may outlive whoever started them.

import type { Usage } from "../../../src/core/flow/dispatch.ts";
import type { AgentEvent, AgentOrder, Agents, TurnUsage } from "../../../src/ports/agents.ts";
import { usage } from "../../rig/pipeline/scripts.ts";
import { type Part, partOf } from "../cast/parts.ts";
import {
  type AgentProcess,
  documents,
  goesWrong,
  type Machine,
  mixSinceKept,
  mustBeOnDisk,
  watchingOver,
} from "../machine/machine.ts";

export function simulatedAgents(machine: Machine): Agents {
  return {
    dispatch: (order, signal) => dispatch(machine, order, signal),
    prepare: () => undefined,
    end: async ({ tag }) => {
      await machine.scheduler.point("an agent is ended");
      const agent = machine.processes.get(tag);
      const wasAlive = agent?.alive === true;
      if (agent !== undefined) die(machine, agent);
      return { wasAlive, strays: [] };
    },
    recount: async (folder) => {
      await machine.scheduler.point("an agent is recounted");
      return machine.streams.get(folder) ?? [];
    },
    close: async () => undefined,
  };
}

/** When nobody listens any more, the agent is ended too. */
async function* dispatch(machine: Machine, order: AgentOrder, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const beginning = Number.parseInt(order.id, 10);
  if (beginning > (machine.stoppedAt ?? beginning)) machine.seen.push(`${order.role} is started after a stop`);
  await machine.scheduler.point(`before ${order.id} starts`);
  const part = partOf(machine, order);
  const agent = startProcess(machine, order);
  try {
    yield* actsOf(machine, { order, part, agent, signal });
  } finally {
    if (agent.alive) die(machine, agent);
  }
}

/** It waits for its prompt. */
function startProcess(machine: Machine, order: AgentOrder): AgentProcess {
  const { processes } = machine;
  const agent: AgentProcess = {
    tag: `t${processes.size + 1}`,
    id: order.id,
    folder: order.folder,
    isWriter: order.capabilities.includes("write"),
    alive: true,
    isThinking: false,
    rest: [],
  };
  processes.set(agent.tag, agent);
  machine.gone.delete(order.id);
  machine.streams.set(order.folder, []);
  machine.trace.push(`  ${order.id} starts`);
  if (agent.isWriter) {
    machine.isWriting = true;
    mixSinceKept(machine);
    compareDocuments(machine, order);
  }
  return agent;
}

/** E3: a writer that starts again is given the documents that it was given first, unless the person kept what a try had left. */
function compareDocuments({ given, removed, hands, seen, entries }: Machine, { prompt, role }: AgentOrder): void {
  const begun = entries.findLast((entry) => entry.type === "begin" && entry.request.do === "dispatch");
  const asked = `${begun?.type === "begin" ? begun.key : ""}~ask:run.restore#`;
  const isKept = entries.some(
    (entry) => entry.type === "settle" && entry.key.startsWith(asked) && entry.outcome === "keep",
  );

  const [, request = ""] = /\n\[superteam\] .*\b(step=\S+ attempt=\d+)\s*$/.exec(prompt) ?? [];
  for (const path of documents) {
    const text = hands.read(path) ?? "";
    const before = given.get(`${request} ${path}`);
    given.set(`${request} ${path}`, before ?? text);
    if (!isKept && before !== undefined && before !== text && removed.get(path) !== text)
      seen.push(`${role} starts again with ${path} as an interrupted try left it`);
  }
}

interface Playing {
  readonly order: AgentOrder;
  readonly part: Part;
  readonly agent: AgentProcess;
  readonly signal: AbortSignal;
}

async function* actsOf(machine: Machine, { order, part, agent, signal }: Playing): AsyncGenerator<AgentEvent> {
  const { scheduler, processes, trace } = machine;
  yield { type: "spawned", process: { pid: processes.size, birth: "", tag: agent.tag, backend: "simulated" } };
  mustBeOnDisk(machine, Number.parseInt(order.id, 10), `${order.role} is asked before its beginning`);
  agent.isThinking = !signal.aborted;
  agent.rest = part.acts.map(({ do: act }) => act);
  yield { type: "started", model: "simulated/model" };
  for (const act of [...part.acts, undefined]) {
    agent.isThinking = !signal.aborted;
    await scheduler.point(`${order.id} ${act?.what ?? "answers"}`);
    if (signal.aborted || !agent.alive) {
      if (agent.isThinking) yield pay(machine, agent, true);
      die(machine, agent);
      return yield { type: "failed", kind: "aborted", detail: "it was stopped", output: "", model: null };
    }
    if (act !== undefined) {
      trace.push(`  ${order.id} ${act.what}`);
      attempt(machine, agent);
    }
    yield pay(machine, agent, false);
  }
  die(machine, agent);
  if (part.fails) yield { type: "failed", output: "", model: null, ...part.fails };
  else yield { type: "finished", text: part.text, model: "simulated/model" };
}

/** A command of an agent that fails is the agent's affair. */
export function attempt(machine: Machine, agent: AgentProcess): void {
  try {
    watchingOver(machine, agent.id, () => agent.rest.shift()?.());
  } catch (error) {
    machine.trace.push(`  … which fails: ${String(error)}`);
  }
}

/** M1: a turn is in the raw stream when the model has answered, and as an estimate when it was cut. */
export function pay(machine: Machine, agent: AgentProcess, isCut: boolean): AgentEvent {
  const spent = !isCut && goesWrong(machine, "odd usage") ? { ...usage, ...machine.chance.pick(oddUsage) } : usage;
  const turn: TurnUsage = { model: "simulated/model", usage: { ...spent, estimated: isCut } };
  machine.streams.get(agent.folder)?.push(turn);
  machine.paid.push({ id: agent.id, usage: turn.usage });
  agent.isThinking = false;
  return { type: "usage", ...turn };
}

/** A model without a price, one that tells no tokens, a turn that costs more than most runs, and one that costs next to nothing. */
const oddUsage: readonly Partial<Usage>[] = [
  { costUsd: 0 },
  { costUsd: 0, input: 0, output: 0 },
  { costUsd: 3, input: 5_000_000, cacheRead: 90_000_000 },
  { costUsd: 1e-9, output: 1 },
];

/** Its watchdog, or whoever ended it, knows when. */
export function die(machine: Machine, agent: AgentProcess): void {
  if (agent.alive) machine.gone.set(agent.id, machine.scheduler.now());
  agent.alive = false;
}
