// A backend that needs no model: each dispatch is a small real process that plays a script. For tests and examples.

import type { Agents } from "../../../ports/agents.ts";
import type { Backend } from "../../../ports/backend.ts";
import { allowedEnvironment } from "../../process/environment.ts";
import { processAgents, processLeftovers } from "../process-agents.ts";
import type { ScriptedPlay } from "./script.ts";
import { scriptedReader, writeScript } from "./script-program.ts";

export function scriptedAgents({ play }: { readonly play: ScriptedPlay }): Agents {
  return processAgents({
    name: "The scripted agent",
    command: (order, folder) => ({
      command: "/bin/sh",
      args: writeScript(order, play(order), folder),
      env: allowedEnvironment(process.env, order.environment),
    }),
    reader: scriptedReader,
    spares: 0,
  });
}

/** Always there, with one model. */
export function scriptedBackend(play: ScriptedPlay): Backend {
  const known = { name: "scripted", loginAdvice: "use the model scripted/model" };
  return {
    ...known,
    variables: [],
    // Its program runs a script in a shell, whatever the play.
    tools: (capabilities) => (capabilities.includes("run") ? ["bash"] : []),
    find: async () => ({
      found: true,
      backend: {
        ...known,
        version: "1",
        description: "1 from this package",
        agents: scriptedAgents({ play }),
        models: async () => ({ ok: true, models: ["scripted/model"] }),
      },
    }),
    leftovers: processLeftovers(scriptedReader),
  };
}
