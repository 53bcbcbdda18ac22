// Places of their own: each is the repository with another tree in it. They stay when a process dies.

import { startPlace } from "../../../src/core/flow/flow.ts";
import type { Place, Places } from "../../../src/ports/place.ts";
import { documents, goesWrong, type Machine, runId } from "../machine/machine.ts";
import { handsOn } from "../repo/hands.ts";
import { instantRepo, modelRepo } from "../repo/open.ts";
import { type Clone, checkoutOf } from "../repo/repository.ts";
import { runCheckIn } from "./repo.ts";
import { isSuite, noFiles, runSuite } from "./suite.ts";
import { effect, raise } from "./trouble.ts";

export function simulatedPlaces(machine: Machine, tree: Place): Places {
  const { clone, places } = machine;
  return {
    at: async (id) => (id === startPlace ? tree : { ...tree, ...placeAt(machine, id) }),
    open: (name, from) =>
      effect(machine, `place ${name} is opened`, () => {
        if (goesWrong(machine, "place cannot be made")) throw raise(machine, "unwritable", `no worktree for ${name}`);
        const own: Clone = { repository: clone.repository, clock: clone.clock };
        instantRepo(checkoutOf(own, runId, documents)).restore(from, `place-${name}`);
        places.set(name, own);
        return name;
      }),
    close: (id) => effect(machine, `place ${id} is closed`, () => void places.delete(id)),
  };
}

function placeAt(machine: Machine, id: string): Pick<Place, "root" | "repo" | "checks"> {
  const clone = machine.places.get(id);
  if (clone === undefined) throw new Error(`the place ${id} is not there`);
  return {
    root: `/places/${id}`,
    repo: modelRepo(checkoutOf(clone, runId, documents)),
    checks: {
      run: (command, _signal, { only = [] } = {}) =>
        isSuite(command) ? runSuite(machine, only, handsOn(clone)) : runCheckIn(machine, handsOn(clone)),
      files: noFiles,
    },
  };
}
