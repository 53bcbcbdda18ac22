// What outlives a process: the repository, the journal as far as it is on disk, agents that still run, what they were paid, and
// what the person has written. A life of a run comes and goes; the machine stays.

import { memoryJournal } from "../../src/adapters/journal/memory.ts";
import type { Usage } from "../../src/core/flow/dispatch.ts";
import { pathsIn } from "../../src/core/run/document-paths.ts";
import { outlineOf } from "../../src/core/run/pipeline.ts";
import { superteam } from "../../src/pipelines/superteam.ts";
import type { TurnUsage } from "../../src/ports/agents.ts";
import type { Entry, Journal } from "../../src/ports/journal.ts";
import { documentsOf } from "../rig/pipeline/run.ts";
import type { Chance } from "./chance.ts";
import { type Hands, handsOn } from "./repo/hands.ts";
import { makeClone } from "./repo/open.ts";
import type { Clone } from "./repo/repository.ts";
import { Scheduler } from "./scheduler.ts";

export const goal = "Write letters";
export const runId = "20260102-000000-abcd";
export const paths = documentsOf(goal);
export const documents = pathsIn(paths);

/** An agent's process: what it has not done yet it may still do, also when nobody listens any more. */
export interface AgentProcess {
  readonly tag: string;
  readonly id: string;
  readonly isWriter: boolean;
  alive: boolean;
  rest: (() => void)[];
}

/** What can go wrong. Each is counted, so that a simulation in which it never happens is noticed. */
export const faults = [
  "killed",
  "power cut",
  "orphan works on",
  "person works",
  "person works beside a writer",
  "stop",
  "question left open",
  "misdeed",
  "garbled answer",
  "finding",
  "agent fails",
] as const;
export type Fault = (typeof faults)[number];

export interface Machine {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly clone: Clone;
  readonly hands: Hands;
  /** What is on disk for good, and what a power cut would take. */
  entries: readonly Entry[];
  synced: number;
  readonly processes: Map<string, AgentProcess>;
  /** Raw streams by the dispatch's folder. */
  readonly streams: Map<string, TurnUsage[]>;
  /** When the watchdog found a dispatch's processes gone. */
  readonly gone: Map<string, number>;
  /** What every dispatch was paid for, in the order of payment. */
  readonly paid: { readonly id: string; readonly usage: Usage }[];
  /** Trees for which the check passed. */
  readonly checked: Set<string>;
  /** What was seen to be wrong while it happened. */
  readonly seen: string[];
  /** How many records this life had given to the journal when it was asked to stop. */
  stoppedAt: number | undefined;
  given: number;
  /** What the person wrote last at each path, and whether an agent that may write was at work in the tree. */
  readonly written: Map<string, { readonly text: string; readonly isMixed: boolean }>;
  readonly happened: Map<Fault, number>;
  /** Faults that do not happen though chance says so, by their number: how a trace is made shorter. */
  readonly spared: ReadonlySet<number>;
  faultCount: number;
  /** What happened, for people. */
  readonly trace: string[];
}

export function makeMachine(chance: Chance, spared: ReadonlySet<number>): Machine {
  const scheduler = new Scheduler(chance, Date.UTC(2026, 0, 2));
  const clone = makeClone({ "README.md": "# Letters\n", ".gitignore": "*.log\n" }, () => scheduler.now());
  const machine: Machine = {
    scheduler,
    chance,
    clone,
    hands: handsOn(clone),
    entries: [],
    synced: 0,
    processes: new Map(),
    streams: new Map(),
    gone: new Map(),
    paid: [],
    checked: new Set(),
    seen: [],
    stoppedAt: undefined,
    given: 0,
    written: new Map(),
    happened: new Map(),
    spared,
    faultCount: 0,
    trace: [],
  };
  personWrites(machine, "notes.txt", "do not touch\n");
  const header = { runId, pipeline: outlineOf(superteam), input: { goal, documents: paths, wishes: {} }, startedAt: 0 };
  machine.entries = [{ seq: 1, at: 0, type: "run", header }];
  machine.synced = 1;
  return machine;
}

export function personWrites(machine: Machine, path: string, text: string): void {
  const isMixed = [...machine.processes.values()].some(({ alive, isWriter }) => alive && isWriter);
  machine.hands.write(path, text);
  machine.written.set(path, { text, isMixed });
  machine.trace.push(`  the person writes ${path}${isMixed ? ", while an agent writes" : ""}`);
  if (isMixed) count(machine, "person works beside a writer");
}

/** Whether this goes wrong now. */
export function goesWrong(machine: Machine, fault: Fault, probability: number): boolean {
  if (!machine.chance.happens(probability)) return false;
  machine.faultCount += 1;
  if (machine.spared.has(machine.faultCount)) return false;
  count(machine, fault);
  return true;
}

function count({ happened }: Machine, fault: Fault): void {
  happened.set(fault, (happened.get(fault) ?? 0) + 1);
}

/**
 * The journal as a process opens it. Records are written in the order in which they are given, each at a turn of its own: a process
 * that dies before takes them with it.
 */
export function openJournal(machine: Machine): Journal {
  const inner = memoryJournal({ clock: machine.scheduler, entries: machine.entries });
  return {
    ...inner,
    async append(body, options) {
      const entry = await inner.append(body, options);
      machine.given = entry.seq;
      await machine.scheduler.point(`the record of ${body.type}`);
      for (const written of inner.entries.slice(machine.entries.length, entry.seq)) {
        machine.trace.push(`  ${written.seq} ${describeEntry(written)}`);
      }
      if (entry.seq > machine.entries.length) machine.entries = inner.entries.slice(0, entry.seq);
      if (options.sync) machine.synced = Math.max(machine.synced, entry.seq);
      await machine.scheduler.point(`what follows the record of ${body.type}`);
      if (entry.type === "settle")
        mustBeOnDisk(machine, entry.seq, `the run goes on before the outcome of ${entry.key}`);
      return entry;
    },
  };
}

/** E1: what others will see or pay for is on disk before it happens. */
export function mustBeOnDisk({ synced, seen }: Machine, seq: number, what: string): void {
  if (seq > synced) seen.push(`${what} is on disk`);
}

/** A power cut takes what was not synced, or some of it. */
export function cutPower(machine: Machine): void {
  const kept = machine.synced + machine.chance.below(machine.entries.length - machine.synced + 1);
  machine.entries = machine.entries.slice(0, kept);
  machine.trace.push(`  the power fails: ${kept} records are left`);
}

export function describeEntry(entry: Entry): string {
  switch (entry.type) {
    case "begin":
      return `begin ${entry.key} (${entry.request.do}${entry.request.do === "record" ? ` ${entry.request.fact.type}` : ""})`;
    case "settle":
      return `settle ${entry.key} ${JSON.stringify(entry.outcome)?.slice(0, 90)}`;
    case "note":
      return `note ${entry.key} ${entry.note.type}`;
    case "enter":
    case "leave":
    case "restart":
      return `${entry.type} ${entry.scope}`;
    case "end":
      return `end ${JSON.stringify(entry.ending).slice(0, 120)}`;
    default:
      return entry.type;
  }
}
