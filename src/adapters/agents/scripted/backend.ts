// The scripted agents as a backend: always there, with one model, and without a price.

import type { Backend } from "../../../ports/backend.ts";
import { processLeftovers } from "../process-agents.ts";
import { scriptedAgents } from "./agents.ts";
import type { ScriptedPlay } from "./script.ts";
import { scriptedReader } from "./stream-reader.ts";

export function scriptedBackend(play: ScriptedPlay): Backend {
  const known = { name: "scripted", loginAdvice: "use the model scripted/model" };
  return {
    ...known,
    variables: [],
    // Its program runs a script in a shell, whoever plays.
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
