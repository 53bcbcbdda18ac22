// Several backends as one: each order, and each process of an earlier start, goes to the backend that it names.

import { type Redact, redactor } from "../../core/text/secrets.ts";
import type { AgentEvent, AgentOrder, Agents, Leftovers, ToolCall } from "../../ports/agents.ts";
import type { Backend, BackendSearch, Backends, OpenBackends, Variables } from "../../ports/backend.ts";
import { keptOrder } from "./dispatch-folder.ts";
import { endAgent } from "./process-agents.ts";

export function openBackends(backends: Backends, env: Variables): OpenBackends {
  const searches = new Map<string, Promise<BackendSearch>>();
  const find = (name: string): Promise<BackendSearch> => {
    const search = searches.get(name) ?? searchFor(backends, name, env);
    searches.set(name, search);
    return search;
  };
  const known = new Map<string, Agents>();
  const found = async (name: string) => {
    const search = await find(name);
    if (search.found) known.set(name, search.backend.agents);
    return search.found ? search.backend.agents : undefined;
  };
  const redact = redactor(env);
  return {
    find,
    agents: {
      async *dispatch(order, signal) {
        for await (const event of dispatch(find(order.backend), order, signal)) yield redacted(event, redact);
      },
      prepare(order) {
        const agents = known.get(order.backend);
        if (agents) agents.prepare(order);
        else void found(order.backend).then((first) => first?.prepare(order));
      },
      price: async (order) => (await found(order.backend))?.price?.(order),
      ...leftoversOf(backends),
      close: async () => {
        await Promise.all([...searches.keys()].map(async (name) => (await found(name))?.close()));
      },
    },
  };
}

/** Before anything of it is recorded: what an agent says or runs may hold a key it has read. */
function redacted(event: AgentEvent, redact: Redact): AgentEvent {
  switch (event.type) {
    case "tool":
      return redactedCall(event, redact);
    case "output":
      return { ...redactedCall(event, redact), line: redact(event.line) };
    case "text":
    case "finished":
      return { ...event, text: redact(event.text) };
    case "trouble":
      return { ...event, detail: redact(event.detail) };
    case "failed":
      return { ...event, detail: redact(event.detail), output: redact(event.output) };
    default:
      return event;
  }
}

function redactedCall<C extends ToolCall>(call: C, redact: Redact): C {
  return call.command === undefined ? call : { ...call, command: redact(call.command) };
}

/** A process of a backend that this superteam does not have is ended too, but its usage cannot be read. */
export function leftoversOf(backends: Backends): Leftovers {
  const named = async (name: string) => (await loaded(backends, name))?.leftovers;
  return {
    end: async (process, folder) => ((await named(process.backend))?.end ?? endAgent)(process, folder),
    recount: async (folder) => (await named((await keptOrder(folder)).backend))?.recount(folder) ?? [],
  };
}

async function loaded(backends: Backends, name: string): Promise<Backend | undefined> {
  return Object.hasOwn(backends, name) ? backends[name]?.() : undefined;
}

async function searchFor(backends: Backends, name: string, env: Variables): Promise<BackendSearch> {
  const backend = await loaded(backends, name);
  if (backend) return backend.find(env);
  const names = Object.keys(backends).join(", ");
  return {
    found: false,
    reason: "unknown",
    detail: `There is no backend "${name}". Name one of these in "backend": ${names}.`,
  };
}

async function* dispatch(
  searching: Promise<BackendSearch>,
  order: AgentOrder,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const search = await searching;
  if (search.found) yield* search.backend.agents.dispatch(order, signal);
  else yield { type: "failed", kind: "crashed", detail: search.detail, output: "", model: null };
}
