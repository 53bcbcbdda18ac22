// A world for tests of the engine: a real journal, and ports that answer from a script. What a test does not script
// throws, so that nothing is answered by accident.

import { memoryJournal } from "../../src/adapters/journal/memory.ts";
import { onlyTree } from "../../src/adapters/place/only-tree.ts";
import { systemClock } from "../../src/adapters/process/clock.ts";
import type { Flow, Flows } from "../../src/core/flow/flow.ts";
import type { PutBack } from "../../src/core/flow/repository.ts";
import { Config } from "../../src/core/run/config.ts";
import { bareOutline } from "../../src/core/run/pipeline.ts";
import { Halt } from "../../src/engine/drive/halt.ts";
import type { LiveEvent } from "../../src/engine/drive/recorder.ts";
import { type RunEnd, run } from "../../src/engine/drive/run.ts";
import type { World } from "../../src/engine/drive/world.ts";
import type { Repo } from "../../src/index.ts";
import type { Journal } from "../../src/ports/journal.ts";
import type { Person } from "../../src/ports/person.ts";
import type { InboxMessage, InboxReply } from "../../src/ports/runs.ts";

export interface Script {
  /** Answers by question id, taken in order; a question without one is closed. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** What a check's command does; counts as passed when it returns 0. */
  readonly checks?: (command: string) => number | Promise<number>;
  readonly documents?: Readonly<Record<string, string>>;
}

export interface Rig {
  readonly world: World;
  /** The repository of its only place: a test gives it the verbs it needs. */
  readonly repo: Repo;
  readonly halt: Halt;
  /** Ids of the questions that were shown, in order. */
  readonly shown: string[];
  /** Commands that were really run, in order. */
  readonly ran: string[];
  readonly sights: LiveEvent[];
  readonly say: (message: InboxMessage) => void;
  readonly receipts: Map<string, InboxReply>;
  readonly go: (flow: (input: unknown) => Flow<unknown>, flows?: Flows) => Promise<RunEnd>;
}

export async function newJournal(input: unknown = null): Promise<Journal> {
  const journal = memoryJournal();
  const header = { runId: "test-run", pipeline: bareOutline("test"), input, startedAt: 0 };
  await journal.append({ type: "run", header }, { sync: true });
  return journal;
}

/** A new process on the same journal is a new rig on it. */
export function rig(journal: Journal, script: Script = {}): Rig {
  const halt = new Halt();
  const shown: string[] = [];
  const ran: string[] = [];
  const sights: LiveEvent[] = [];
  const receipts = new Map<string, InboxReply>();
  const hearers = new Set<(message: InboxMessage) => void>();
  const repo = { ...unscriptedRepo };
  const texts = new Map(Object.entries(script.documents ?? {}));
  const world: World = {
    ...unscripted,
    journal,
    person: scriptedPerson(script.answers ?? {}, shown),
    places: onlyTree({
      root: "/tree",
      repo,
      checks: {
        run: async (command) => {
          ran.push(command);
          const exitCode = (await script.checks?.(command)) ?? 0;
          return { exitCode, signal: null, timedOut: false, output: "", durationMs: 1 };
        },
        files: (command) => Promise.resolve({ command, names: [], programs: {} }),
      },
      documents: {
        read: (path) => Promise.resolve(texts.get(path) ?? null),
        write: (path, text) => Promise.resolve(void texts.set(path, text)),
        remove: (path) => Promise.resolve(void texts.delete(path)),
      },
    }),
    inbox: {
      listen: (hear) => {
        hearers.add(hear);
        return () => hearers.delete(hear);
      },
      receipt: (id, receipt) => Promise.resolve(void receipts.set(id, receipt)),
    },
    watch: (sight) => sights.push(sight),
  };
  const go = (flow: (input: unknown) => Flow<unknown>, flows: Flows = {}) => run(world, { start: flow, flows }, halt);
  const say = (message: InboxMessage) => {
    for (const hear of hearers) hear(message);
  };
  return { world, repo, halt, shown, ran, sights, say, receipts, go };
}

function scriptedPerson(answers: Readonly<Record<string, readonly string[]>>, shown: string[]): Person {
  const given = new Map<string, number>();
  const ask: Person["ask"] = ({ id }, signal) => {
    shown.push(id);
    const count = given.get(id) ?? 0;
    given.set(id, count + 1);
    const said = answers[id]?.[count];
    if (said !== "(wait)") return Promise.resolve(said);
    return new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", () => resolve(undefined));
    });
  };
  const nothing = (): void => undefined;
  return { ask, notify: nothing, status: nothing, widget: nothing };
}

const never = (what: string) => () => {
  throw new Error(`the test did not script ${what}`);
};

/** Of a writer that kept to its work. */
const nothingPutBack: PutBack = {
  files: [],
  moved: false,
  commits: [],
  refs: [],
  settings: [],
  pushed: [],
  refsKept: [],
};

const unscriptedRepo: Repo = {
  head: () => Promise.resolve({ sha: "head", branch: "main" }),
  tree: () => Promise.resolve("tree"),
  look: () => Promise.resolve({ sha: "head", branch: "main", tree: "tree", leftAlone: [] }),
  snapshot: () => Promise.resolve({ sha: "head", branch: "main", tree: "tree", leftAlone: [], ref: "refs/x" }),
  afterWriter: ({ given }) => Promise.resolve({ left: given, changed: [], dirty: [], putBack: nothingPutBack }),
  afterReader: () => Promise.resolve({ touched: [], around: nothingPutBack }),
  gitFiles: () => Promise.resolve({}),
  restoreGitFiles: () => Promise.resolve({ settings: [] }),
  undoAround: () => Promise.resolve(nothingPutBack),
  changedAround: () => Promise.resolve([]),
  undoWork: never("work undone"),
  takenBack: () => Promise.resolve([]),
  forgetStates: () => Promise.resolve(),
  anchorWithout: never("a state without some work"),
  changes: never("changes"),
  difference: never("a difference"),
  commit: never("a commit"),
  findCommit: never("a commit"),
  restore: never("a restore"),
  restoreFiles: never("giving files back"),
  personAtWork: never("the person's work"),
};

const unscripted: Omit<World, "journal" | "person" | "places" | "inbox" | "watch"> = {
  agents: {
    dispatch: never("an agent"),
    prepare: () => undefined,
    end: never("an agent's end"),
    recount: never("a recount"),
    close: () => Promise.resolve(),
  },
  clock: { now: () => 0, sleep: systemClock.sleep },
  settings: { read: () => Promise.resolve(Config.parse({})) },
  roles: { resolve: never("a role") },
  dispatches: { folder: (id) => id, goneAt: () => Promise.resolve(undefined), besides: () => Promise.resolve([]) },
  history: { read: () => Promise.resolve({ runs: [], skipped: 0 }) },
  queue: { add: never("a queue") },
  patience: "suspend",
  session: { pid: 1, versions: {} },
  next: () => undefined,
  publish: () => Promise.resolve(),
};
