// Agents that are processes, one per dispatch, each with its prompt on stdin. A backend says how its program is called and
// how its stream is read; starting, following and ending a process is the same for all of them.

import { resolve } from "node:path";
import type {
  AgentEvent,
  AgentMark,
  AgentOrder,
  Agents,
  EndedLeftover,
  Leftovers,
  ModelPrice,
  TurnUsage,
} from "../../ports/agents.ts";
import { reasonOf } from "../../ports/failure.ts";
import { type Launch, launch, type Running } from "../process/launch.ts";
import { endLeftover } from "../process/leftover.ts";
import { restStarter } from "../process/starter/start.ts";
import { watchdog } from "../process/watchdog.ts";
import { keptOrder, keptStream, openDispatchFolder, type SentOrder, sentOf } from "./dispatch-folder.ts";
import { sparesOf } from "./spares.ts";
import { type StreamReader, supervise } from "./supervise.ts";

/** What of an order a reader may look at. */
export type ReadOrder = SentOrder & Pick<AgentOrder, "environment">;

type Pricing = NonNullable<Agents["price"]>;

type Called = Pick<Launch, "command" | "args" | "env">;

export interface AgentProgram {
  /** For messages, such as `pi`. */
  readonly name: string;
  /**
   * The command line for an order, with `folder` for files of its own. The prompt is not its business. Where it is
   * no promise, whoever prepares a process has it started by the time they go on.
   */
  command(order: AgentOrder, folder: string): Called | Promise<Called>;
  reader(order: ReadOrder): StreamReader;
  readonly price?: Pricing;
  /** How many processes may wait, started ahead. Without a prompt such a process must end when its stdin does. */
  readonly spares: number;
}

export function processAgents(program: AgentProgram): Agents {
  const start = async (order: AgentOrder, folder: string): Promise<Running> => {
    const called = program.command(order, folder);
    const { command, args, env } = called instanceof Promise ? await called : called;
    const launched = await launch({ command, args, env, cwd: order.cwd });
    if (launched.ok) return launched.running;
    throw new Error(launched.detail);
  };
  const spares = sparesOf(start, { count: program.spares, idleMs: 5 * 60_000 });
  const begin = async (order: AgentOrder): Promise<Running> =>
    (await spares.take(order)) ?? (await start(order, order.folder));
  return {
    dispatch: (order, signal) => dispatch(program, begin, { ...order, folder: resolve(order.folder) }, signal),
    prepare: (order) => spares.prepare(order),
    ...(program.price && { price: once(program.price) }),
    ...processLeftovers(program.reader),
    async close() {
      await spares.close();
      watchdog.rest();
      restStarter();
    },
  };
}

/** Needs no program: processes are ended by their mark, and what they used is read again from what they left. */
export function processLeftovers(reader: AgentProgram["reader"]): Leftovers {
  return { end: endAgent, recount: (folder) => recount(folder, reader) };
}

/** As any agent is ended, also one of a backend that is not there any more. */
export async function endAgent(mark: AgentMark, folder: string): Promise<EndedLeftover> {
  return await endLeftover(mark, { folder, cwd: (await keptOrder(folder)).cwd });
}

/** Read again from the raw stream, with what was kept of the order. */
async function recount(folder: string, readerFor: AgentProgram["reader"]): Promise<readonly TurnUsage[]> {
  const [sent, stream] = await Promise.all([keptOrder(folder), keptStream(folder)]);
  const reader = readerFor({ ...sent, environment: [] });
  const killed = { exit: { how: "killed", signal: "SIGKILL" }, stop: undefined, stderr: "" } as const;
  const events = [...reader.read(stream), ...reader.close(killed)];
  return events.flatMap((event) => (event.type === "usage" ? [{ model: event.model, usage: event.usage }] : []));
}

/** A price does not change while superteam runs. */
function once(ask: Pricing): Pricing {
  const asked = new Map<string, Promise<ModelPrice | undefined>>();
  return (order) => {
    const key = JSON.stringify([order.model, order.cwd]);
    const price = asked.get(key) ?? ask(order);
    asked.set(key, price);
    return price;
  };
}

async function* dispatch(
  program: AgentProgram,
  begin: (order: AgentOrder) => Promise<Running>,
  order: AgentOrder,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  try {
    const folder = openDispatchFolder(order.folder, order);
    const running = await begin(order);
    running.claim(order.folder);
    const reader = program.reader({ ...sentOf(order), environment: order.environment });
    yield* supervise({ order, running, reader, folder }, signal);
  } catch (error) {
    const detail = `${program.name} could not be run: ${reasonOf(error)}`;
    yield { type: "failed", kind: "crashed", detail, output: "", model: null };
  }
}
