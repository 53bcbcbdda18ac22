// Wires the ports of a run to what is on this machine.

import { piAgents } from "../../adapters/agents/pi/agents.ts";
import { findPi, type PiProgram, type PiSearch } from "../../adapters/agents/pi/find.ts";
import { piModels } from "../../adapters/agents/pi/models.ts";
import { shellChecks } from "../../adapters/checks/shell.ts";
import { onlyTree } from "../../adapters/place/only-tree.ts";
import { systemClock } from "../../adapters/process/clock.ts";
import type { ProfileText } from "../../adapters/roles/profile.ts";
import { profileRoles } from "../../adapters/roles/profiles.ts";
import type { Claim, FileSettings } from "../../adapters/settings/file.ts";
import { documents } from "../../adapters/store/documents.ts";
import type { Config } from "../../core/run/config.ts";
import type { Granted, World } from "../../engine/drive/world.ts";
import type { Repo } from "../../ports/repo.ts";
import type { Runs } from "../../ports/runs.ts";
import { Problem } from "../problem.ts";

export interface Wiring {
  readonly root: string;
  readonly runId: string;
  readonly runs: Runs;
  readonly patience: World["patience"];
  readonly repo: Repo;
  readonly settings: FileSettings;
  readonly config: Config;
  /** The model from the command line, for every role. */
  readonly model: string | null;
  readonly pi: PiProgram;
  readonly env: NodeJS.ProcessEnv;
}

/** Who can run agents. */
const backends = { pi: piAgents } as const;

export type Wired = Omit<World, "journal" | "person" | "watch" | "publish" | "preflight">;

/** Nothing of what the repository brings along counts yet: see `grant`. */
export async function wire(wiring: Wiring): Promise<Wired> {
  const { runId, runs, config, pi, env } = wiring;
  return {
    ...(await grant(wiring, { claims: [], profiles: [] })),
    agents: backends[config.backend]({ program: pi, env }),
    clock: systemClock,
    inbox: await runs.inbox(runId),
    dispatches: runs.dispatches(runId),
    history: runs.history,
    queue: runs.queue,
    patience: wiring.patience,
    session: { pid: process.pid, versions: { node: process.versions.node, pi: pi.version } },
    next: (role) => (config.execution.warmSpares ? likelyNext[role] : undefined),
  };
}

/** What of the repository's own counts: the claims of its configuration, and its profiles. */
export interface Grant {
  readonly claims: readonly Claim[];
  readonly profiles: readonly ProfileText[];
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

/** Asks pi once which models it can use: a profile's own model is only a wish. */
function hostModels({ pi, env, root }: Wiring): () => Promise<readonly string[]> {
  let models: Promise<readonly string[]> | undefined;
  return () => {
    models ??= piModels(pi, env, root).then((found) => (found.ok ? found.models : []));
    return models;
  };
}

/** Which pi runs the agents; a Problem with what to do when there is none. */
export async function whichPi(env: NodeJS.ProcessEnv): Promise<PiProgram> {
  return foundPi(await findPi({ configured: null, env }));
}

export function foundPi(search: PiSearch): PiProgram {
  if (search.found) return search.program;
  throw new Problem(`${search.detail}\nTo see superteam at work without it: superteam demo`, "not-possible");
}

/** Who usually follows whom in the default pipeline: that role's process is started ahead. */
const likelyNext: Readonly<Record<string, string>> = {
  scout: "brainstormer",
  brainstormer: "brainstormer",
  planner: "implementer",
  implementer: "spec-reviewer",
  "spec-reviewer": "quality-reviewer",
  "quality-reviewer": "implementer",
};
