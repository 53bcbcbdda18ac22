// Wires the ports of a run to what is on this machine.

import { shellChecks } from "../../adapters/checks/shell.ts";
import { onlyTree } from "../../adapters/place/only-tree.ts";
import { systemClock } from "../../adapters/process/clock.ts";
import { profileRoles } from "../../adapters/roles/profiles.ts";
import { documents } from "../../adapters/store/documents.ts";
import type { Granted } from "../../engine/drive/world.ts";
import type { Runs } from "../../ports/runs.ts";
import type { Grant } from "../../ports/trust.ts";
import type { Wired, WireOrder } from "../../runs/workplace.ts";

export interface Wiring extends WireOrder {
  readonly root: string;
  readonly runs: Runs;
}

/** Nothing of what the repository brings along counts yet: see `grant`. */
export async function wire(wiring: Wiring): Promise<Wired> {
  const { runId, runs, config, backends, backend, roles } = wiring;
  return {
    ...(await grant(wiring, { claims: [], profiles: [] })),
    agents: backends.agents,
    clock: systemClock,
    inbox: await runs.inbox(runId),
    dispatches: runs.dispatches(runId),
    history: runs.history,
    queue: runs.queue,
    patience: wiring.patience,
    session: { pid: process.pid, versions: { node: process.versions.node, [backend.name]: backend.version } },
    next: (role) => (config.execution.warmSpares ? roles.find(({ name }) => name === role)?.next : undefined),
  };
}

/** The ports that work with what the repository brings along, as far as it is trusted. */
export async function grant(wiring: Wiring, { claims, profiles }: Grant): Promise<Granted> {
  const { root, model } = wiring;
  const settings = wiring.settings.holding(claims);
  const { environment } = await settings.read();
  return {
    settings,
    places: onlyTree({
      root,
      repo: wiring.repo,
      checks: shellChecks({ cwd: root, environment }),
      documents: documents(root),
    }),
    roles: profileRoles({ root, settings, model, models: hostModels(wiring), overrides: profiles }),
  };
}

/** Asks a backend once which models it can use: a profile's own model is only a wish. */
function hostModels({ backends, root }: Wiring): (backend: string) => Promise<readonly string[]> {
  const known = new Map<string, Promise<readonly string[]>>();
  const ask = async (name: string): Promise<readonly string[]> => {
    const search = await backends.find(name);
    const found = search.found ? await search.backend.models(root) : undefined;
    return found?.ok ? found.models : [];
  };
  return (name) => {
    const models = known.get(name) ?? ask(name);
    known.set(name, models);
    return models;
  };
}
