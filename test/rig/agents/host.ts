// A superteam process reduced to one dispatch, for tests that kill it. Told by its first argument what to do, it prints
// each event as a line of JSON.

import { piAgents } from "../../../src/adapters/agents/pi/backend.ts";
import { scriptedAgents } from "../../../src/adapters/agents/scripted/agents.ts";
import type { Script } from "../../../src/adapters/agents/scripted/script.ts";
import type { AgentOrder, Agents } from "../../../src/ports/agents.ts";
import { piEnv, realPi } from "./backends.ts";

export type HostSetup =
  | { readonly backend: "scripted"; readonly script: Script }
  | { readonly backend: "pi"; readonly home: string };

export interface HostOrder {
  readonly setup: HostSetup;
  readonly order: AgentOrder;
  /** Starts a spare for the order and waits, instead of dispatching it. */
  readonly spare?: boolean;
}

if (process.argv[1] === import.meta.filename) await main(JSON.parse(process.argv[2] ?? ""));

async function main({ setup, order, spare }: HostOrder): Promise<void> {
  const agents = await agentsFor(setup);
  if (spare) {
    agents.prepare(order);
    await new Promise((resolve) => process.stdin.on("end", resolve).resume());
    return;
  }
  for await (const event of agents.dispatch(order, new AbortController().signal)) console.log(JSON.stringify(event));
}

async function agentsFor(setup: HostSetup): Promise<Agents> {
  if (setup.backend === "pi") return piAgents(await realPi(), piEnv(setup.home));
  return scriptedAgents({ play: () => setup.script });
}
