// Agents that need no model: each dispatch is a small real process that plays a script. For tests and examples.

import type { Agents } from "../../../ports/agents.ts";
import { allowedEnvironment } from "../../process/environment.ts";
import { processAgents } from "../process-agents.ts";
import type { ScriptedPlay } from "./script.ts";
import { writeScript } from "./script-program.ts";
import { scriptedReader } from "./stream-reader.ts";

export function scriptedAgents({ play }: { readonly play: ScriptedPlay }): Agents {
  return processAgents({
    name: "The scripted agent",
    command: async (order, folder) => ({
      command: "/bin/sh",
      args: await writeScript(order, play(order), folder),
      env: allowedEnvironment(process.env, order.environment),
    }),
    reader: scriptedReader,
    spares: 0,
  });
}
