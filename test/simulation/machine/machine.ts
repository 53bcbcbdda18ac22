// What outlives a process: the repository, the journal as far as it is on disk, agents that still run, what they were paid, and
// what the person has written. A life of a run comes and goes; the machine stays.

import type { Usage } from "../../../src/core/flow/dispatch.ts";
import type { Question } from "../../../src/core/flow/question.ts";
import type { Head } from "../../../src/core/flow/repository.ts";
import { pathsIn } from "../../../src/core/run/document-paths.ts";
import { outlineOf } from "../../../src/core/run/pipeline.ts";
import { superteam } from "../../../src/pipelines/superteam.ts";
import type { TurnUsage } from "../../../src/ports/agents.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import type { InboxReply } from "../../../src/ports/runs.ts";
import { documentsOf } from "../../rig/pipeline/run.ts";
import type { Chance } from "../chance.ts";
import { type Hands, handsOn } from "../repo/hands.ts";
import { makeClone } from "../repo/open.ts";
import { type Clone, headOf } from "../repo/repository.ts";
import { Scheduler } from "../scheduler.ts";
import type { Fault, Odds } from "./faults.ts";

export const goal = "Write letters";
/** What the goal is at times said to fall into. */
export const partTitles = ["Short letters", "Long letters"] as const;
/** What the person calls a branch of theirs. */
export const personBranch = "theirs";
export const runId = "20260102-000000-abcd";
export const paths = documentsOf(goal);
export const documents = pathsIn(paths);

/** An agent's process: what it has not done yet it may still do, also when nobody listens any more. */
export interface AgentProcess {
  readonly tag: string;
  readonly id: string;
  readonly folder: string;
  readonly isWriter: boolean;
  alive: boolean;
  /** The model has been asked and has not answered yet. */
  isThinking: boolean;
  rest: (() => void)[];
}

/** What somebody else did to a text of the person's, and how many records there were by then. */
export interface Harm {
  readonly text: string;
  readonly by: string;
  readonly records: number;
}

export interface Written {
  readonly text: string;
  readonly isMixed: boolean;
  /** As a line of the trace. */
  readonly at: number;
}

export interface Machine {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly clone: Clone;
  readonly hands: Hands;
  /** Where the run began. */
  readonly start: Head;
  odds: Odds;
  /** The person's own configuration. */
  config: object;
  /** What the person answers for sure, by question. */
  readonly answers: Readonly<Record<string, string>>;
  /** Which version of the program the next life has. */
  program: number;
  /** What is on disk for good, and what a power cut would take. */
  entries: readonly Entry[];
  synced: number;
  /** What a power cut took of them. */
  readonly lost: Entry[];
  readonly processes: Map<string, AgentProcess>;
  /** Raw streams by the dispatch's folder. */
  readonly streams: Map<string, TurnUsage[]>;
  /** When the watchdog found a dispatch's processes gone. */
  readonly gone: Map<string, number>;
  /** What every dispatch was paid for, in the order of payment. */
  readonly paid: { readonly id: string; readonly usage: Usage }[];
  /** The documents as each writer's request found them at its first try. */
  readonly given: Map<string, string>;
  /** What stood in documents that the person removed: superteam may have read them just before, and give them again. */
  readonly removed: Map<string, string>;
  /** Trees for which the check passed. */
  readonly checked: Set<string>;
  /** Trees whose tests were run and broke nothing. */
  readonly tested: Set<string>;
  /** Commits of tasks whose tests are to run later. */
  readonly untested: Set<string>;
  /** Places that are open, by name. */
  readonly places: Map<string, Clone>;
  /** When somebody last wrote, or removed, what is at a path by that: see `meaning`. */
  readonly meant: Map<string, number>;
  /** The runs that wait in line, by their goals, and the marks under which they were put there. */
  readonly line: string[];
  readonly marks: Set<string>;
  /** The tree that was looked at last. */
  lookedAt: string;
  /** What checks wrote into the tree. */
  readonly ofChecks: Set<string>;
  /** An agent's file in the tree says how strict the run is, and not the person. */
  isSteered: boolean;
  /** Links in the tree, by path: git keeps the target as a file's text. */
  readonly links: Map<string, string>;
  /** Errors that the simulation itself raised. */
  readonly raised: WeakSet<object>;
  /** What was seen to be wrong while it happened. */
  readonly seen: string[];
  /** How many records this life had given to the journal when it was asked to stop. */
  stoppedAt: number | undefined;
  handed: number;
  /** The question on the screen. */
  shown: Question | undefined;
  /** What other processes said in this life, and the receipts they were given. */
  readonly said: string[];
  readonly receipts: Map<string, InboxReply>;
  /** What the person wrote last at each path, and whether an agent that may write was at work in the tree. */
  readonly written: Map<string, Written>;
  /** A writer has begun, and what it left has not been looked at: what the person writes is beside it. */
  isWriting: boolean;
  /** When the tree was last kept, as a line of the trace. */
  keptAt: number;
  /** What the person staged last at each path. */
  readonly staged: Map<string, string>;
  readonly personCommits: Set<string>;
  /** The person has put HEAD elsewhere, or back. */
  hasSwitched: boolean;
  /** Texts of the person's that an agent, or the run itself, has changed. */
  readonly harmed: Map<string, Harm>;
  readonly happened: Map<Fault, number>;
  /** Faults that do not happen though chance says so, by their number: how a trace is made shorter. */
  readonly spared: ReadonlySet<number>;
  faultCount: number;
  /** What happened, for people. */
  readonly trace: string[];
}

/** Who the person is: how they have set superteam up, and what they always say. */
export type PersonHabits = Pick<Machine, "config" | "answers">;

/** Of the person's, and ignored by git. What an agent writes into such a file is not put back. */
export const keys = "keys.log";

export function makeMachine(chance: Chance, spared: ReadonlySet<number>, habits: PersonHabits): Machine {
  const scheduler = new Scheduler(chance, Date.UTC(2026, 0, 2));
  const clone = makeClone({ "README.md": "# Letters\n", ".gitignore": "*.log\n" }, () => scheduler.now());
  const records = emptyRecords();
  const machine: Machine = {
    ...records,
    scheduler,
    chance,
    clone,
    hands: remembering(handsOn(clone), (path, text) => records.meant.set(meaning(path, text), scheduler.now())),
    start: headOf(clone.repository),
    config: habits.config,
    answers: habits.answers,
    spared,
  };
  personWrites(machine, "notes.txt", "do not touch\n");
  personWrites(machine, keys, "private\n");
  const header = { runId, pipeline: outlineOf(superteam), input: { goal, documents: paths, wishes: {} }, startedAt: 0 };
  machine.entries = [{ seq: 1, at: 0, type: "run", header }];
  machine.synced = 1;
  return machine;
}

type Given = "scheduler" | "chance" | "clone" | "hands" | "start" | "config" | "answers" | "spared";

function emptyRecords(): Omit<Machine, Given> {
  return {
    odds: {},
    program: 0,
    entries: [],
    synced: 0,
    processes: new Map(),
    streams: new Map(),
    gone: new Map(),
    paid: [],
    given: new Map(),
    removed: new Map(),
    checked: new Set(),
    tested: new Set(),
    untested: new Set(),
    places: new Map(),
    line: [],
    marks: new Set(),
    meant: new Map(),
    lookedAt: "",
    ofChecks: new Set(),
    lost: [],
    isSteered: false,
    links: new Map(),
    raised: new WeakSet(),
    seen: [],
    stoppedAt: undefined,
    handed: 0,
    shown: undefined,
    said: [],
    receipts: new Map(),
    written: new Map(),
    isWriting: false,
    keptAt: 0,
    staged: new Map(),
    personCommits: new Set(),
    hasSwitched: false,
    harmed: new Map(),
    happened: new Map(),
    faultCount: 0,
    trace: [],
  };
}

/** What a file holds, or that there is none. */
export const meaning = (path: string, text: string | undefined): string => JSON.stringify([path, text ?? null]);

/** Hands, watched in what they do to single files: git does the same, and nobody means it. */
function remembering(hands: Hands, note: (path: string, text: string | undefined) => void): Hands {
  return {
    ...hands,
    write: (path, text) => {
      hands.write(path, text);
      note(path, text);
    },
    remove: (path) => {
      const gone = [...hands.files().keys()].filter((one) => one === path || one.startsWith(`${path}/`));
      hands.remove(path);
      for (const one of gone) note(one, undefined);
    },
  };
}

export function personWrites(machine: Machine, path: string, text: string): void {
  const isAlive = [...machine.processes.values()].some(({ alive, isWriter }) => alive && isWriter);
  const isMixed = isAlive || machine.isWriting;
  machine.hands.write(path, text);
  machine.written.set(path, { text, isMixed, at: machine.trace.length });
  machine.harmed.delete(path);
  machine.trace.push(`  the person writes ${path}: ${text.trim()}${isMixed ? ", while an agent writes" : ""}`);
  if (isMixed) count(machine, "person works beside a writer");
}

/** A writer's work begins when the tree was kept for it: what the person wrote since is beside it. */
export function mixSinceKept({ written, keptAt }: Machine): void {
  for (const [path, each] of written) if (each.at >= keptAt) written.set(path, { ...each, isMixed: true });
}

/** Does something to the repository, and remembers which texts of the person's are gone from the tree by it. */
export function watchingOver<T>(machine: Machine, by: string, act: () => T): T {
  const before = machine.clone.repository;
  const done = act();
  const { disk } = machine.clone.repository;
  if (disk === before.disk) return done;
  for (const [path, { text, isMixed }] of machine.written) {
    const isTheirs = before.disk.files.get(path)?.content.text === text && !before.index.entries.has(path);
    if (isMixed || !isTheirs || disk.files.get(path)?.content.text === text) continue;
    machine.harmed.set(path, { text, by, records: machine.entries.length });
    machine.trace.push(`  … which takes ${path} from the person`);
  }
  return done;
}

/** Whether this goes wrong now. `share`: how much of its usual likelihood it has here. */
export function goesWrong(machine: Machine, fault: Fault, share = 1): boolean {
  const odds = (machine.odds[fault] ?? 0) * share;
  if (odds === 0 || !machine.chance.happens(odds)) return false;
  machine.faultCount += 1;
  if (machine.spared.has(machine.faultCount)) return false;
  count(machine, fault);
  return true;
}

export function count({ happened }: Machine, fault: Fault): void {
  happened.set(fault, (happened.get(fault) ?? 0) + 1);
}

/** E1: what others will see or pay for is on disk before it happens. */
export function mustBeOnDisk({ synced, seen }: Machine, seq: number, what: string): void {
  if (seq > synced) seen.push(`${what} is on disk`);
}
