// Roles from the package's own profiles, with what the repository's profiles (if they are trusted) and the configuration
// say over them. Configuration and the project's context are read for each dispatch, so that a resumed run works with what
// is there then.

import { fileURLToPath } from "node:url";
import type { Capability } from "../../core/run/capability.ts";
import type { AgentConfig, Config } from "../../core/run/config.ts";
import type { AgentOrder } from "../../ports/agents.ts";
import type { Roles, Wish } from "../../ports/roles.ts";
import type { Settings } from "../../ports/settings.ts";
import type { ProfileText } from "../../ports/trust.ts";
import { type Profile, readChanges, readProfile } from "./profile.ts";
import { projectContext } from "./project-context.ts";

export interface RolesOptions {
  /** The working tree: where agents run and where the project's context lies. */
  readonly root: string;
  readonly settings: Settings;
  /** The model from the command line, for every role; null when none was given. */
  readonly model: string | null;
  /** The models a backend can run, as `provider/id`: a profile's own is only a preference, and only then asked for. */
  readonly models: (backend: string) => readonly string[] | Promise<readonly string[]>;
  /** The repository's own profiles, as far as the person trusts them. */
  readonly overrides?: () => readonly ProfileText[];
  /** Where the profiles are: the package's own unless said otherwise. */
  readonly profiles?: string;
}

/** `agents/` of the package: three folders up, from the sources as from what is published. */
export const packageProfiles = fileURLToPath(new URL("../../../agents/", import.meta.url));

const minute = 60_000;
const defaults = { timeoutMs: 60 * minute, stuckMs: 10 * minute, silentMs: 90_000, thinking: "medium" };

export function profileRoles(options: RolesOptions): Roles {
  const { root, settings } = options;
  return {
    resolve: async (role, wish) => {
      const [profile, config] = await Promise.all([profileOf(options, role), settings.read()]);
      const own = config.agents[role] ?? {};
      const capabilities = own.tools ?? profile.tools;
      const backend = own.backend ?? config.backend;
      return {
        role,
        backend,
        system: profile.system,
        context: projectContext(root),
        capabilities,
        ...(role === "implementer" && config.tdd === "required" ? testFirst(capabilities, wish) : {}),
        model: chosenModel(options, wish, own, config) ?? (await profileModel(options, profile, backend)),
        thinking: own.thinking ?? profile.thinking ?? defaults.thinking,
        cwd: root,
        timeoutMs: own.timeoutMinutes === undefined ? defaults.timeoutMs : own.timeoutMinutes * minute,
        stuckMs: own.stuckMinutes === undefined ? defaults.stuckMs : own.stuckMinutes * minute,
        silentMs: defaults.silentMs,
        environment: config.environment,
      };
    },
  };
}

/** Who cannot run a test can see none fail. */
function testFirst(capabilities: readonly Capability[], wish: Wish): Pick<AgentOrder, "testFirst"> {
  return { testFirst: wish.testFirst && capabilities.includes("run") ? "guarded" : "taught" };
}

async function profileOf({ profiles = packageProfiles, overrides }: RolesOptions, role: string): Promise<Profile> {
  const profile = await readProfile(profiles, role);
  const override = overrides?.().find((one) => one.role === role);
  return override ? { ...profile, ...readChanges(override) } : profile;
}

/** A fallback that the flow asks for, the command line, the role's own setting, the one for how hard the work is, that for all. */
function chosenModel({ model }: RolesOptions, wish: Wish, own: AgentConfig, config: Config): string | undefined {
  const byDifficulty = wish.difficulty && config.complexity[wish.difficulty];
  return wish.model ?? model ?? own.model ?? byDifficulty ?? config.model;
}

/**
 * The profile's model if it is available, or null for the host's default. A profile may name a model without its provider: the
 * first provider that has it serves.
 */
async function profileModel({ models }: RolesOptions, { model }: Profile, backend: string): Promise<string | null> {
  if (model === undefined) return null;
  const known = await models(backend);
  if (known.includes(model)) return model;
  return known.find((one) => one.slice(one.indexOf("/") + 1) === model) ?? null;
}
