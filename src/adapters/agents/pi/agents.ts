// Agents that are pi processes: one per dispatch, in a fresh context, isolated from the repository's and the person's
// extensions, skills and prompts, with the person's own providers, keys and models.

import { resolve } from "node:path";
import type { AgentEvent, AgentOrder, Agents } from "../../../ports/agents.ts";
import { goneFile } from "../../process/gone.ts";
import { type Launched, launch, type Running } from "../../process/launch.ts";
import { redactor } from "../../process/secrets.ts";
import { endLeftover } from "../../process/tree.ts";
import { watchdog } from "../../process/watchdog.ts";
import { openDispatchFolder } from "../dispatch-folder.ts";
import { recount } from "../recount.ts";
import { supervise } from "../supervise.ts";
import { type PiSetup, piArguments } from "./command-line.ts";
import { piEnvironment } from "./environment.ts";
import type { PiProgram } from "./find.ts";
import { type Spares, sparesOf } from "./spares.ts";
import { piReader } from "./stream-reader.ts";

export interface PiAgentsOptions {
  readonly program: PiProgram;
  /** Where the variables for pi are taken from. */
  readonly env: NodeJS.ProcessEnv;
}

/** What needs no pi: agents of an earlier life are ended, and what they used is read again from what they left. */
export const piLeftovers: Pick<Agents, "end" | "recount"> = {
  end: endLeftover,
  recount: (folder) =>
    recount(folder, (prompt) => piReader({ system: "", context: "", model: null, prompt }, redactor({}))),
};

export function piAgents({ program, env }: PiAgentsOptions): Agents {
  const start = async (setup: PiSetup, folder: string): Promise<Launched> => {
    const args = [...program.args, ...(await piArguments(setup, folder))];
    return launch({ command: program.command, args, cwd: setup.cwd, env: piEnvironment(env, setup), gone: "" });
  };
  const spares = sparesOf(async (setup, folder) => {
    const launched = await start(setup, folder).catch(() => undefined);
    return launched?.ok ? launched.running : undefined;
  }, spareLimits);
  const processFor = async (order: AgentOrder): Promise<Running> => {
    const spare = await spares.take(order);
    if (spare !== undefined) return spare;
    const launched = await start(order, order.folder);
    if (launched.ok) return launched.running;
    throw new Error(launched.detail);
  };
  return {
    dispatch: (order, signal) => dispatch({ ...order, folder: resolve(order.folder) }, { processFor, env }, signal),
    prepare: (order) => spares.prepare(order),
    ...piLeftovers,
    close: () => close(spares),
  };
}

const spareLimits = { count: 4, idleMs: 5 * 60_000 };

interface Dispatcher {
  readonly processFor: (order: AgentOrder) => Promise<Running>;
  readonly env: NodeJS.ProcessEnv;
}

async function* dispatch(
  order: AgentOrder,
  { processFor, env }: Dispatcher,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const redact = redactor(piEnvironment(env, order));
  try {
    const folder = await openDispatchFolder(order.folder, order.prompt);
    const running = await processFor(order);
    running.claim(goneFile(order.folder));
    // An agent that is to be stopped before it was asked anything costs nothing.
    if (!signal.aborted) running.stdin.end(order.prompt);
    yield* supervise({ order, running, reader: piReader(order, redact), folder }, signal);
  } catch (error) {
    const detail = redact(`pi could not be run: ${error instanceof Error ? error.message : String(error)}`);
    yield { type: "failed", kind: "crashed", detail, output: "", model: null };
  }
}

async function close(spares: Spares): Promise<void> {
  await spares.close();
  watchdog.rest();
}
