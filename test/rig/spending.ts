// The engine with agents that spend: what each turn of an agent uses, and which agents were started, ended and stopped, is the
// test's to say and to see.

import { z } from "zod";
import { noUsage, type Usage } from "../../src/core/flow/dispatch.ts";
import { all, defineFlow, dispatch, type Flow, type Flows } from "../../src/core/flow/flow.ts";
import type { Anchor } from "../../src/core/flow/repository.ts";
import type { PastRun } from "../../src/core/money/experience.ts";
import { Config } from "../../src/core/run/config.ts";
import type { AgentEvent, AgentOrder } from "../../src/ports/agents.ts";
import type { Journal } from "../../src/ports/journal.ts";
import { type Rig, rig } from "./world.ts";

const anchor: Anchor = { sha: "a".repeat(40), branch: "main", tree: "tree", ref: "refs/x", leftAlone: [] };
export const usd = (costUsd: number): Usage => ({ ...noUsage, input: 10, costUsd });

interface Agent {
  readonly turns: readonly Usage[];
  readonly model?: string;
  /** Is at work until it is stopped. */
  readonly hangs?: boolean;
}

interface Setting {
  readonly config?: unknown;
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  readonly past?: readonly PastRun[];
  readonly clock?: () => number;
}

export interface Stage extends Rig {
  /** Prompts of agents that were started, and ends as they came: `one`, `-one`, or `!one` for one that was stopped. */
  readonly course: string[];
}

/** A new process on a journal, with agents that do as told by the name of their dispatch. */
export function stage(journal: Journal, agents: Readonly<Record<string, Agent>>, setting: Setting = {}): Stage {
  const one = rig(journal, { answers: setting.answers ?? {} });
  const course: string[] = [];
  Object.assign(one.repo, { look: async () => anchor, head: async () => anchor, snapshot: async () => anchor });
  Object.assign(one.world.agents, {
    end: async () => ({ wasAlive: false, strays: [] }),
    recount: async () => [],
    dispatch: (order: AgentOrder, signal: AbortSignal) => play(order, signal, { agents, course }),
  });
  const order = { capabilities: [], model: null, system: "", context: "" };
  Object.assign(one.world, {
    settings: { read: async () => Config.parse(setting.config ?? {}) },
    roles: { resolve: async (): Promise<Partial<AgentOrder>> => order },
    dispatches: { folder: (id: string) => id, goneAt: async () => 0, besides: () => Promise.resolve([]) },
    history: { read: async () => ({ runs: setting.past ?? [], skipped: 0 }) },
    ...(setting.clock ? { clock: { ...one.world.clock, now: setting.clock } } : {}),
  });
  return { ...one, course };
}

async function* play(
  { prompt }: AgentOrder,
  signal: AbortSignal,
  { agents, course }: { readonly agents: Readonly<Record<string, Agent>>; readonly course: string[] },
): AsyncGenerator<AgentEvent> {
  const name = /name=(\w+)/.exec(prompt)?.[1] ?? "";
  const { turns, model = "some/model", hangs = false } = agents[name] ?? { turns: [usd(1)] };
  course.push(name);
  yield { type: "spawned", process: { pid: 1, birth: "then", tag: "t", backend: "pi" } };
  let isStopped = false;
  for (const usage of turns) {
    await new Promise((resolve) => setImmediate(resolve));
    isStopped ||= signal.aborted;
    if (!isStopped) yield { type: "usage", model, usage };
  }
  if (hangs && !signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  isStopped ||= hangs;
  course.push(isStopped ? `!${name}` : `-${name}`);
  if (isStopped) yield { type: "failed", kind: "aborted", detail: "", output: "", model };
  else yield { type: "finished", text: "done", model };
}

export const agent = (name: string, role = "scout") =>
  dispatch({ name, role, prompt: `name=${name}`, access: "write" });

export const inTurn = (...names: readonly string[]) =>
  function* (): Flow<string> {
    for (const name of names) yield* agent(name);
    return "done";
  };

export const flows: Flows = {
  one: defineFlow({
    kind: "step",
    input: z.string(),
    returns: z.string(),
    *run(name) {
      yield* agent(name, `role-${name}`);
      return name;
    },
  }),
};

export const together = (...names: readonly string[]) =>
  function* (): Flow<string> {
    yield* all(names.map((name) => ({ flow: "one", name, input: name })));
    return "done";
  };

export function spentIn({ entries }: Journal): number {
  return entries.reduce(
    (sum, entry) => (entry.type === "note" && entry.note.type === "usage" ? sum + entry.note.usage.costUsd : sum),
    0,
  );
}

export const limited = (hardLimitUsd: number, warnAtUsd = 1_000) => ({ costs: { hardLimitUsd, warnAtUsd } });
export const done = { how: "finished", value: "done" };
export const warnings = ({ entries }: Journal): readonly string[] =>
  entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "record" && entry.request.fact.type === "warning"
      ? entry.request.fact.text
      : [],
  );

export function usages({ entries }: Journal): readonly Usage[] {
  return entries.flatMap((entry) => (entry.type === "note" && entry.note.type === "usage" ? entry.note.usage : []));
}
