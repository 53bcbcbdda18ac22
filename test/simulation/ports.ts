// The ports of one life, over the machine. Every call is a point at which others may come first, before it acts and after.

import { onlyTree } from "../../src/adapters/place/only-tree.ts";
import { Config } from "../../src/core/run/config.ts";
import type { World } from "../../src/engine/drive/world.ts";
import type { AgentEvent, AgentOrder, Agents, TurnUsage } from "../../src/ports/agents.ts";
import type { Repo } from "../../src/ports/repo.ts";
import type { InboxMessage } from "../../src/ports/runs.ts";
import { usage } from "../rig/pipeline/scripts.ts";
import { type Manners, partOf } from "./cast.ts";
import { type AgentProcess, documents, type Machine, mustBeOnDisk, openJournal, paths, runId } from "./machine.ts";
import { answerTo } from "./person.ts";
import { instantRepo } from "./repo/open.ts";
import { checkoutOf } from "./repo/repository.ts";

export interface LifeOptions {
  readonly manners: Manners;
  readonly config: unknown;
  /** How likely the person leaves a question open. */
  readonly leaves: number;
  /** How likely the person takes what is recommended. */
  readonly agrees: number;
}

export interface Life {
  readonly world: World;
  readonly say: (message: InboxMessage) => void;
}

export function bornOn(machine: Machine, options: LifeOptions): Life {
  const { scheduler, hands } = machine;
  const config = Config.parse(options.config);
  const hearers = new Set<(message: InboxMessage) => void>();
  const world: World = {
    journal: openJournal(machine),
    agents: simulatedAgents(machine, options.manners),
    person: {
      ask: async (question, signal) => {
        mustBeOnDisk(machine, beginningOf(machine, question.id), `${question.id} is shown before it`);
        await scheduler.point(`the person reads ${question.id}`);
        return signal.aborted ? undefined : answerTo(machine, question, options);
      },
      notify: () => undefined,
      status: () => undefined,
      widget: () => undefined,
    },
    places: onlyTree({
      root: "/tree",
      repo: scheduledRepo(machine),
      checks: { run: () => runCheck(machine) },
      documents: {
        read: (path) => effect(machine, `read ${path}`, () => hands.read(path) ?? null),
        write: (path, text) => effect(machine, `write ${path}`, () => hands.write(path, text)),
      },
    }),
    clock: scheduler,
    settings: { read: async () => config },
    roles: { resolve: async (role) => roleOf(role) },
    inbox: {
      listen: (hear) => {
        hearers.add(hear);
        return () => hearers.delete(hear);
      },
      receipt: async () => undefined,
    },
    dispatches: { folder: (id) => id, goneAt: async (id) => machine.gone.get(id) },
    history: { read: async () => ({ runs: [], skipped: 0 }) },
    queue: { add: async () => undefined },
    patience: "sleep",
    session: { pid: 1, versions: {} },
    next: () => undefined,
    publish: (document) => effect(machine, `publish ${document}`, () => hands.write(paths[document], `${document}\n`)),
    watch: () => undefined,
  };
  machine.stoppedAt = undefined;
  const say = (message: InboxMessage): void => {
    for (const hear of hearers) hear(message);
  };
  return { world, say };
}

/** The record with which a question begins; none is after all others. */
function beginningOf({ entries }: Machine, id: string): number {
  const found = entries.findLast(
    (entry) => entry.type === "begin" && entry.request.do === "ask" && entry.request.question.id === id,
  );
  return found?.seq ?? Number.POSITIVE_INFINITY;
}

async function effect<T>({ scheduler }: Machine, what: string, act: () => T): Promise<T> {
  await scheduler.point(`before ${what}`);
  const value = act();
  await scheduler.point(`after ${what}`);
  return value;
}

function scheduledRepo(machine: Machine): Repo {
  const repo = instantRepo(checkoutOf(machine.clone, runId, documents));
  const around =
    <Given extends readonly unknown[], T>(verb: string, act: (...given: Given) => T) =>
    (...given: Given): Promise<T> =>
      effect(machine, `repo.${verb}`, () => act(...given));
  return {
    head: around("head", repo.head),
    tree: around("tree", repo.tree),
    snapshot: around("snapshot", repo.snapshot),
    anchorWithout: around("anchorWithout", repo.anchorWithout),
    changes: around("changes", repo.changes),
    difference: around("difference", repo.difference),
    commit: around("commit", (order) => {
      mustBeOnDisk(machine, Number(order.request.split("/")[1]), "a commit is made before its beginning");
      const tree = repo.tree();
      const outcome = repo.commit(order);
      const isTask = outcome.status === "committed" && order.task !== undefined;
      const [subject] = order.message.split("\n");
      if (isTask && !machine.checked.has(tree)) {
        machine.seen.push(`the commit "${subject}" is of a tree that no check passed for`);
      }
      return outcome;
    }),
    findCommit: around("findCommit", repo.findCommit),
    restore: around("restore", repo.restore),
    restoreFiles: around("restoreFiles", repo.restoreFiles),
    personAtWork: around("personAtWork", repo.personAtWork),
  };
}

/** Passes unless the tree is broken. */
async function runCheck(machine: Machine) {
  const repo = instantRepo(checkoutOf(machine.clone, runId, documents));
  return effect(machine, "the check", () => {
    const isBroken = machine.hands.read("broken.txt") !== undefined;
    if (!isBroken) machine.checked.add(repo.tree());
    return {
      exitCode: isBroken ? 1 : 0,
      signal: null,
      timedOut: false,
      output: isBroken ? "broken" : "",
      durationMs: 1,
    };
  });
}

function roleOf(role: string) {
  const isWriter = ["implementer", "planner"].includes(role);
  return {
    role,
    backend: "simulated",
    system: "",
    context: "",
    capabilities: isWriter ? (["read", "write"] as const) : (["read", "run"] as const),
    model: null,
    thinking: "medium",
    cwd: "/tree",
    timeoutMs: 3_600_000,
    stuckMs: 600_000,
    silentMs: 90_000,
    environment: [],
  };
}

function simulatedAgents(machine: Machine, manners: Manners): Agents {
  return {
    dispatch: (order, signal) => actsOf(machine, manners, order, signal),
    prepare: () => undefined,
    end: async ({ tag }) => {
      await machine.scheduler.point("an agent is ended");
      const agent = machine.processes.get(tag);
      const wasAlive = agent?.alive === true;
      if (agent !== undefined) agent.alive = false;
      return wasAlive;
    },
    recount: async (folder) => {
      await machine.scheduler.point("an agent is recounted");
      return machine.streams.get(folder) ?? [];
    },
    close: async () => undefined,
  };
}

async function* actsOf(
  machine: Machine,
  manners: Manners,
  order: AgentOrder,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const { scheduler, processes, trace } = machine;
  const beginning = Number.parseInt(order.id, 10);
  mustBeOnDisk(machine, beginning, `${order.role} starts before its beginning`);
  if (beginning > (machine.stoppedAt ?? beginning)) machine.seen.push(`${order.role} is started after a stop`);
  await scheduler.point(`before ${order.id} starts`);
  const part = partOf(machine, order, manners);
  const agent: AgentProcess = {
    tag: `t${processes.size + 1}`,
    id: order.id,
    isWriter: order.capabilities.includes("write"),
    alive: true,
    rest: part.acts.map(({ do: act }) => act),
  };
  processes.set(agent.tag, agent);
  machine.gone.delete(order.id);
  machine.streams.set(order.folder, []);
  trace.push(`  ${order.id} starts`);
  yield { type: "spawned", process: { pid: processes.size, birth: "", tag: agent.tag, backend: "simulated" } };
  yield { type: "started", model: "simulated/model" };
  for (const act of part.acts) {
    await scheduler.point(`${order.id} ${act.what}`);
    if (signal.aborted || !agent.alive) return yield ended(machine, agent, "aborted");
    trace.push(`  ${order.id} ${act.what}`);
    attempt(machine, agent);
    yield pay(machine, order);
  }
  await scheduler.point(`${order.id} answers`);
  if (signal.aborted) return yield ended(machine, agent, "aborted");
  yield pay(machine, order);
  agent.alive = false;
  machine.gone.set(agent.id, scheduler.now());
  if (part.fails) yield { type: "failed", output: "", model: null, ...part.fails };
  else yield { type: "finished", text: part.text, model: "simulated/model" };
}

/** A command of an agent that fails is the agent's affair. */
export function attempt({ trace }: Machine, agent: AgentProcess): void {
  try {
    agent.rest.shift()?.();
  } catch (error) {
    trace.push(`  … which fails: ${String(error)}`);
  }
}

/** A turn is paid when the model has answered: it is in the raw stream by then. */
function pay(machine: Machine, order: AgentOrder): AgentEvent {
  const turn: TurnUsage = { model: "simulated/model", usage };
  machine.streams.get(order.folder)?.push(turn);
  machine.paid.push({ id: order.id, usage });
  return { type: "usage", ...turn };
}

function ended(machine: Machine, agent: AgentProcess, kind: "aborted"): AgentEvent {
  agent.alive = false;
  machine.gone.set(agent.id, machine.scheduler.now());
  return { type: "failed", kind, detail: "it was stopped", output: "", model: null };
}
