// A world with nothing in it. An example gives the ports its flow uses; what it did not give says so when it is asked.

import { Config, onlyTree, type Place, systemClock, type World } from "../../src/index.ts";

export function worldWith(given: Partial<World> & Pick<World, "journal">): World {
  return { ...empty, ...given };
}

const missing = (port: string) => (): never => {
  throw new Error(`This example's world has no ${port}.`);
};

/** A tree without a repository, checks or texts. */
export const nothingThere: Place = {
  root: "",
  repo: {
    head: missing("repository"),
    /** A check is bound to the tree it ran on. */
    tree: () => Promise.resolve(""),
    snapshot: missing("repository"),
    anchorWithout: missing("repository"),
    changes: missing("repository"),
    difference: missing("repository"),
    commit: missing("repository"),
    findCommit: missing("repository"),
    restore: missing("repository"),
    restoreFiles: missing("repository"),
    personAtWork: missing("repository"),
  },
  checks: { run: missing("checks") },
  documents: { read: missing("documents"), write: missing("documents") },
};

const empty: Omit<World, "journal"> = {
  agents: {
    dispatch: missing("agents"),
    prepare: () => undefined,
    end: () => Promise.resolve(false),
    recount: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  },
  person: {
    select: missing("person"),
    confirm: missing("person"),
    input: missing("person"),
    editor: missing("person"),
    notify: () => undefined,
    status: () => undefined,
    widget: () => undefined,
  },
  places: onlyTree(nothingThere),
  clock: systemClock,
  settings: { read: () => Promise.resolve(Config.parse({})) },
  roles: { resolve: missing("roles") },
  inbox: { listen: () => () => undefined, receipt: () => Promise.resolve() },
  dispatches: { folder: missing("folder for dispatches"), goneAt: () => Promise.resolve(undefined) },
  history: { read: () => Promise.resolve({ runs: [], skipped: 0 }) },
  queue: { add: missing("queue") },
  patience: "suspend",
  session: { pid: process.pid, versions: {} },
  next: () => undefined,
  publish: () => Promise.resolve(),
  watch: () => undefined,
};
