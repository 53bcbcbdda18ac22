// Drops a run at a record: the tree and the run store are copied as they are at that moment, agents at work included, so
// that the copy can be resumed as after a crash.

import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { variableOf } from "../../../src/adapters/process/table.ts";
import { tagVariable } from "../../../src/adapters/process/tree.ts";
import type { Entry } from "../../../src/ports/journal.ts";

export interface Drop {
  readonly root: string;
  readonly entry: Entry;
  /** When the run was dropped: its agents were gone from then on. */
  readonly at: number;
}

export interface Dropper {
  readonly watch: (entry: Entry) => void;
  readonly drops: readonly Drop[];
}

/** Copies `whole` into a folder of its own below `folder`, at each record that is chosen. */
export function dropper(whole: string, folder: string, isChosen: (entry: Entry) => boolean = () => true): Dropper {
  const drops: Drop[] = [];
  const tags = new Set<string>();
  const watch = (entry: Entry): void => {
    if (entry.type === "note" && entry.note.type === "spawned") tags.add(entry.note.process.tag);
    if (!isChosen(entry)) return;
    const root = join(folder, String(entry.seq));
    // A copy takes a while. An agent that went on meanwhile would leave a state that no crash can leave.
    const frozen = freeze(tags);
    cpSync(whole, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    for (const pid of frozen) signal(pid, "SIGCONT");
    drops.push({ root, entry, at: Date.now() });
  };
  return { watch, drops };
}

/** Two at a time: both cores work, and no more. */
export async function checkAll(drops: readonly Drop[], check: (drop: Drop) => Promise<void>): Promise<void> {
  const waiting = [...drops];
  const worker = async (): Promise<void> => {
    for (let drop = waiting.pop(); drop !== undefined; drop = waiting.pop()) await check(drop);
  };
  await Promise.all([worker(), worker()]);
}

/** Requests that had an outcome when the run was dropped, and were begun again afterwards. */
export function repeatedAfter({ entry }: Drop, entries: readonly Entry[]): readonly Entry[] {
  const before = new Set(entries.slice(0, entry.seq).flatMap((one) => (one.type === "settle" ? [one.key] : [])));
  return entries.slice(entry.seq).filter((one) => one.type === "begin" && before.has(one.key));
}

/** Where a run was dropped and what it waits for, for the message of a failed test. */
export function describeDrop({ entry }: Drop, entries: readonly Entry[]): string {
  const asked = entries.findLast((one) => one.type === "begin" && one.request.do === "ask");
  const question = asked?.type === "begin" && asked.request.do === "ask" ? asked.request.question : undefined;
  return `dropped at record ${entry.seq}: ${JSON.stringify(entry).slice(0, 200)}; last question: ${JSON.stringify(question)}`;
}

/** Stops all of them for now. One may start another before it stops itself, so it is looked again until none is new. */
export function freeze(tags: ReadonlySet<string>): readonly number[] {
  const frozen = new Set<number>();
  for (;;) {
    const running = processesTagged(tags).filter((pid) => !(frozen.has(pid) && isStill(pid)));
    if (running.length === 0) return [...frozen];
    for (const pid of running) {
      signal(pid, "SIGSTOP");
      frozen.add(pid);
    }
  }
}

/**
 * Stopped, or gone: a signal takes a moment to arrive. One that waits in the kernel (D) counts as stopped, for it stops
 * before it does anything else: a parent in vfork waits there for the child that we stopped, and would never be seen to stop.
 */
function isStill(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[TtZXD]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return true;
    throw error;
  }
}

function processesTagged(tags: ReadonlySet<string>): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const tag = variableOf(pid, tagVariable);
    return tag !== undefined && tags.has(tag);
  });
}

/** It may have ended since we looked. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
