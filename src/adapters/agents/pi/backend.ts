// pi as a backend: the one on this machine, or the very pi that hosts superteam.

import type { Backend, Variables } from "../../../ports/backend.ts";
import { piAgents, piLeftovers } from "./agents.ts";
import { piVariables } from "./environment.ts";
import { findHostingPi, findPi, type PiSearch } from "./find.ts";
import { piModels } from "./models.ts";
import { piTools } from "./tools.ts";

const known = {
  name: "pi",
  loginAdvice: "run pi and type /login, or set a provider's key such as ANTHROPIC_API_KEY",
};

export const pi: Backend = backendWith(findPi);
export const hostingPi: Backend = backendWith(findHostingPi);

function backendWith(search: (env: Variables) => Promise<PiSearch>): Backend {
  return {
    ...known,
    variables: piVariables,
    tools: piTools,
    leftovers: piLeftovers,
    async find(env) {
      const found = await search(env);
      if (!found.found) return found;
      const { program } = found;
      return {
        found: true,
        backend: {
          ...known,
          version: program.version,
          description: `${program.version} from ${program.from} (${program.path})`,
          agents: piAgents({ program, env }),
          models: (cwd) => piModels(program, env, cwd),
        },
      };
    },
  };
}
