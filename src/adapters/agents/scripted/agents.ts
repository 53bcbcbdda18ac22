// Agents that need no model: each dispatch is a small real process that plays a script. For tests and examples.

import { resolve } from "node:path";
import type { AgentEvent, AgentOrder, Agents } from "../../../ports/agents.ts";
import { allowedEnvironment } from "../../process/environment.ts";
import { goneFile } from "../../process/gone.ts";
import { launch } from "../../process/launch.ts";
import { endLeftover } from "../../process/tree.ts";
import { watchdog } from "../../process/watchdog.ts";
import { openDispatchFolder } from "../dispatch-folder.ts";
import { recount } from "../recount.ts";
import { supervise } from "../supervise.ts";
import type { ScriptedPlay } from "./script.ts";
import { writeScript } from "./script-program.ts";
import { scriptedReader } from "./stream-reader.ts";

export function scriptedAgents({ play }: { readonly play: ScriptedPlay }): Agents {
  return {
    dispatch: (order, signal) => dispatch(play, { ...order, folder: resolve(order.folder) }, signal),
    prepare: () => undefined,
    end: endLeftover,
    recount: (folder) => recount(folder, () => scriptedReader()),
    close: async () => watchdog.rest(),
  };
}

async function* dispatch(play: ScriptedPlay, order: AgentOrder, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
  if (signal.aborted) {
    yield { type: "failed", kind: "aborted", detail: "superteam stopped the agent.", output: "", model: null };
    return;
  }
  try {
    const folder = await openDispatchFolder(order.folder, order.prompt);
    const args = await writeScript(order, play(order));
    const env = allowedEnvironment(process.env, order.environment);
    const launched = await launch({ command: "/bin/sh", args, cwd: order.cwd, env, gone: goneFile(order.folder) });
    if (!launched.ok) throw new Error(launched.detail);
    const { running } = launched;
    running.stdin.end(order.prompt);
    yield* supervise({ order, running, reader: scriptedReader(), folder }, signal);
  } catch (error) {
    const detail = `The scripted agent could not be run: ${error instanceof Error ? error.message : String(error)}`;
    yield { type: "failed", kind: "crashed", detail, output: "", model: null };
  }
}
