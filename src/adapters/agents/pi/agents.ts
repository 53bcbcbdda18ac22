// Agents that are pi processes: one per dispatch, in a fresh context, isolated from the repository's and the person's
// extensions, skills and prompts, with the person's own providers, keys and models.

import type { Agents, Leftovers } from "../../../ports/agents.ts";
import type { Variables } from "../../../ports/backend.ts";
import { redactor } from "../../process/secrets.ts";
import { processAgents, processLeftovers } from "../process-agents.ts";
import { piArguments } from "./command-line.ts";
import { piEnvironment } from "./environment.ts";
import type { PiProgram } from "./find.ts";
import { piReader } from "./stream-reader.ts";

export interface PiAgentsOptions {
  readonly program: PiProgram;
  /** Where the variables for pi are taken from. */
  readonly env: Variables;
}

export function piAgents({ program, env }: PiAgentsOptions): Agents {
  return processAgents({
    name: "pi",
    command: async (order, folder) => ({
      command: program.command,
      args: [...program.args, ...(await piArguments(order, folder))],
      env: piEnvironment(env, order),
    }),
    reader: (order) => piReader(order, redactor(piEnvironment(env, order))),
    spares: 4,
  });
}

export const piLeftovers: Leftovers = processLeftovers((order) => piReader(order, redactor({})));
