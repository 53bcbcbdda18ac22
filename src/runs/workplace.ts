// A working tree and the machine it is on, as use cases see them. A host's wiring builds it from adapters.

import type { Config } from "../core/run/config.ts";
import type { PipelineRole } from "../core/run/pipeline.ts";
import type { Granted, World } from "../engine/drive/world.ts";
import type { Leftovers } from "../ports/agents.ts";
import type { FoundBackend, OpenBackends } from "../ports/backend.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProjectionFiles } from "../ports/documents.ts";
import type { Branches, LoadedPlanMemory, Repo, WorkingFiles } from "../ports/repo.ts";
import type { Runs } from "../ports/runs.ts";
import type { Flags, TreeSettings } from "../ports/settings.ts";
import type { Brought, Grant, TrustMemory } from "../ports/trust.ts";

export interface Workplace {
  /** The tree's folder. */
  readonly root: string;
  readonly clock: Clock;
  /** This process, as it is recorded. */
  readonly session: World["session"];
  readonly runs: Runs;
  readonly projections: ProjectionFiles;
  readonly tree: WorkingFiles;
  readonly branches: Branches;
  readonly loadedPlan: LoadedPlanMemory;
  readonly trust: TrustMemory;
  /** Of agents whose run will not be continued. */
  readonly leftovers: Leftovers;
  settings(flags: Flags): TreeSettings;
  /** The repository's own settings and profiles, as they are now. Throws if one of them is invalid. */
  brought(settings: TreeSettings): Promise<Brought>;
  /** The documents are invisible to tree hashes, rollback and task commits. */
  openRepo(runId: string, documents: readonly string[]): Promise<Repo>;
  /** Removes the places of a run that has ended: an earlier life may have left some. */
  removePlaces(runId: string): Promise<void>;
  /** Runs the person's own command with a message. Throws if it fails. */
  notify(command: string, message: string): Promise<void>;
  /** Calls back while a git command, or a hook that it runs, takes long. Returns how to stop listening. */
  onSlowGit(hear: (text: string) => void): () => void;
  /** The ports of a run. Nothing that the repository contains takes effect yet: see `grant`. */
  wire(order: WireOrder): Promise<Wired>;
  /** The ports that use the repository's own settings and profiles, as far as they are trusted at each moment. */
  grant(order: WireOrder, held: () => Grant): Promise<Granted>;
}

/** What a run is wired with. */
export interface WireOrder {
  readonly runId: string;
  readonly repo: Repo;
  /** Those that work in the run's pipeline. */
  readonly roles: readonly PipelineRole[];
  readonly settings: TreeSettings;
  readonly config: Config;
  /** The model from the command line, for every role. */
  readonly model: string | null;
  /** What happens to the run while a quota is used up. */
  readonly patience: World["patience"];
  readonly backends: OpenBackends;
  /** The one that runs agents unless a role has its own. */
  readonly backend: FoundBackend;
}

export type Wired = Omit<World, "journal" | "person" | "watch" | "publish" | "preflight">;
