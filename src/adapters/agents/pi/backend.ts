// pi as a backend: the one on this machine, or the pi that hosts superteam.

import { shellWord } from "../../../core/text/format.ts";
import type { Agents } from "../../../ports/agents.ts";
import type { Backend, Variables } from "../../../ports/backend.ts";
import { processAgents, processLeftovers } from "../process-agents.ts";
import { piArguments } from "./command-line.ts";
import { piEnvironment, piVariables } from "./environment.ts";
import { findHostingPi, findPi, type PiProgram, type PiSearch } from "./find.ts";
import { piModels, piPrice } from "./models.ts";
import { missingSearch } from "./search-programs.ts";
import { piReader } from "./stream-reader.ts";
import { piTools } from "./tools.ts";

const known = { name: "pi", loginAdvice: loginWith("pi") };

export const pi: Backend = backendWith(findPi);
export const hostingPi: Backend = backendWith(findHostingPi);

function backendWith(search: (env: Variables) => Promise<PiSearch>): Backend {
  return {
    ...known,
    variables: piVariables,
    tools: piTools,
    leftovers: processLeftovers(piReader),
    async find(env) {
      const found = await search(env);
      if (!found.found) return found;
      const { program } = found;
      return {
        found: true,
        backend: {
          ...known,
          loginAdvice: loginWith(commandOf(program)),
          version: program.version,
          description: `${program.version} from ${program.from} (${program.path})`,
          agents: piAgents(program, env),
          models: (cwd) => piModels(program, env, cwd),
          lacks: () => missingSearch(env),
        },
      };
    },
  };
}

function loginWith(command: string): string {
  return `run ${command} and type /login, or set a provider's key such as ANTHROPIC_API_KEY`;
}

/** What a person types: a pi that is only inside of a package has no name of its own. */
function commandOf({ from, command, args }: PiProgram): string {
  return from === "PATH" || from === "host" ? "pi" : [command, ...args].map(shellWord).join(" ");
}

/**
 * Agents that are pi processes: one per dispatch, in a fresh context, isolated from the repository's and the person's
 * extensions, skills and prompts, with the person's own providers, keys and models. Variables for pi are taken from `env`.
 */
export function piAgents(program: PiProgram, env: Variables): Agents {
  return processAgents({
    name: "pi",
    command: (order, folder) => ({
      command: program.command,
      args: [...program.args, ...piArguments(order, folder)],
      env: piEnvironment(env, order),
    }),
    reader: piReader,
    price: (order) => piPrice(program, env, order),
    spares: 4,
  });
}
