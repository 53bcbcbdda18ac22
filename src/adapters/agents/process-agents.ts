// Agents that are processes, one per dispatch, each with its prompt on stdin. A backend says how its program is called and
// how its stream is read; starting, following and ending a process is the same for all of them.

import { resolve } from "node:path";
import type { AgentEvent, AgentOrder, Agents, Leftovers } from "../../ports/agents.ts";
import { goneFile } from "../process/gone.ts";
import { type Launch, launch, type Running } from "../process/launch.ts";
import { endLeftover } from "../process/tree.ts";
import { watchdog } from "../process/watchdog.ts";
import { openDispatchFolder } from "./dispatch-folder.ts";
import { type ReadOrder, recount } from "./recount.ts";
import { type Spares, sparesOf } from "./spares.ts";
import { type StreamReader, supervise } from "./supervise.ts";

export interface AgentProgram {
  /** For messages, such as `pi`. */
  readonly name: string;
  /** The command line for an order, with `folder` for files of its own. The prompt is not its business. */
  command(order: AgentOrder, folder: string): Promise<Pick<Launch, "command" | "args" | "env">>;
  reader(order: ReadOrder): StreamReader;
  /** How many processes may wait, started ahead. Without a prompt such a process must end when its stdin does. */
  readonly spares: number;
}

export function processAgents(program: AgentProgram): Agents {
  const start = async (order: AgentOrder, folder: string): Promise<Running> => {
    const launched = await launch({ ...(await program.command(order, folder)), cwd: order.cwd });
    if (launched.ok) return launched.running;
    throw new Error(launched.detail);
  };
  const spares = sparesOf(start, { count: program.spares, idleMs: 5 * 60_000 });
  const begin = async (order: AgentOrder): Promise<Running> =>
    (await spares.take(order)) ?? (await start(order, order.folder));
  return {
    dispatch: (order, signal) => dispatch(program, begin, { ...order, folder: resolve(order.folder) }, signal),
    prepare: (order) => spares.prepare(order),
    ...processLeftovers(program.reader),
    close: () => close(spares),
  };
}

/** Needs no program: processes are ended by their mark, and what they used is read again from what they left. */
export function processLeftovers(reader: AgentProgram["reader"]): Leftovers {
  return { end: endLeftover, recount: (folder) => recount(folder, reader) };
}

async function* dispatch(
  program: AgentProgram,
  begin: (order: AgentOrder) => Promise<Running>,
  order: AgentOrder,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  try {
    const folder = await openDispatchFolder(order.folder, order.prompt);
    const running = await begin(order);
    running.claim(goneFile(order.folder));
    // An agent that is to be stopped before it was asked anything costs nothing.
    if (!signal.aborted) running.stdin.end(order.prompt);
    yield* supervise({ order, running, reader: program.reader(order), folder }, signal);
  } catch (error) {
    const detail = `${program.name} could not be run: ${error instanceof Error ? error.message : String(error)}`;
    yield { type: "failed", kind: "crashed", detail, output: "", model: null };
  }
}

async function close(spares: Spares): Promise<void> {
  await spares.close();
  watchdog.rest();
}
