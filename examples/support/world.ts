// A world with nothing in it. An example gives the ports its flow uses; what it did not give says so when it is asked.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Config,
  type Journal,
  memoryJournal,
  onlyTree,
  type PipelineOutline,
  type Place,
  systemClock,
  type World,
} from "../../src/index.ts";

export function worldWith(given: Partial<World> & Pick<World, "journal">): World {
  return { ...empty, ...given };
}

/** A journal in memory whose first entry says what the run is. */
export async function begunJournal(pipeline: PipelineOutline, input: unknown): Promise<Journal> {
  const journal = memoryJournal();
  const header = { runId: "example", pipeline, input, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: true });
  return journal;
}

const missing = (port: string) => (): never => {
  throw new Error(`This example's world has no ${port}.`);
};

const still = { sha: "", branch: "main", tree: "", ref: "", leftAlone: [] };

/** A tree without a repository, checks or texts. */
export const nothingThere: Place = {
  root: "",
  repo: {
    // A check and an agent are bound to the tree they saw; this one never changes.
    head: async () => still,
    tree: async () => still.tree,
    look: async () => still,
    snapshot: async () => still,
    afterWriter: missing("repository"),
    afterReader: missing("repository"),
    undoAround: missing("repository"),
    changedAround: missing("repository"),
    gitFiles: async () => ({}),
    restoreGitFiles: async () => ({ settings: [] }),
    undoWork: missing("repository"),
    takenBack: () => Promise.resolve([]),
    forgetStates: async () => undefined,
    anchorWithout: missing("repository"),
    changes: missing("repository"),
    difference: missing("repository"),
    commit: missing("repository"),
    findCommit: missing("repository"),
    restore: missing("repository"),
    restoreFiles: missing("repository"),
    personAtWork: missing("repository"),
  },
  checks: { run: missing("checks"), files: missing("checks") },
  documents: { read: missing("documents"), write: missing("documents"), remove: missing("documents") },
};

const empty: Omit<World, "journal"> = {
  agents: {
    dispatch: missing("agents"),
    prepare: () => undefined,
    end: () => Promise.resolve({ wasAlive: false, strays: [] }),
    recount: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  },
  person: {
    ask: missing("person"),
    notify: () => undefined,
    status: () => undefined,
    widget: () => undefined,
  },
  places: onlyTree(nothingThere),
  clock: systemClock,
  settings: { read: () => Promise.resolve(Config.parse({})) },
  roles: { resolve: missing("roles") },
  inbox: { listen: () => () => undefined, receipt: () => Promise.resolve() },
  dispatches: {
    folder: (id) => id,
    goneAt: () => Promise.resolve(undefined),
    besides: () => Promise.resolve([]),
  },
  history: { read: () => Promise.resolve({ runs: [], skipped: 0 }) },
  queue: { add: missing("queue") },
  patience: "suspend",
  session: { pid: process.pid, versions: {} },
  next: () => undefined,
  publish: () => Promise.resolve(),
  watch: () => undefined,
};

/** The folder is there for as long as it is worked in. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "superteam-example-"));
  await work(folder).finally(() => rmSync(folder, { recursive: true }));
}

/** Every role is played by this backend, in this folder, and may do nothing but answer. */
export function agentsAtWork(folder: string, backend: string): Pick<World, "places" | "roles" | "dispatches"> {
  return {
    places: onlyTree({ ...nothingThere, root: folder }),
    roles: { resolve: async (role) => ({ ...plain, role, backend, cwd: folder }) },
    dispatches: {
      folder: (id) => `${folder}/${id}`,
      goneAt: () => Promise.resolve(undefined),
      besides: () => Promise.resolve([]),
    },
  };
}

const plain = {
  system: "",
  context: "",
  capabilities: [],
  model: null,
  thinking: "off",
  timeoutMs: 60_000,
  stuckMs: 60_000,
  silentMs: 60_000,
  environment: [],
} as const;
