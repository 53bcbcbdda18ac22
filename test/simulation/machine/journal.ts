// The journal of one life, on the machine's disk, and what a power cut or a full disk does to it.

import { memoryJournal } from "../../../src/adapters/journal/memory.ts";
import type { OutsideFailure } from "../../../src/ports/failure.ts";
import type { Entry, Journal } from "../../../src/ports/journal.ts";
import { noSpace } from "../ports/trouble.ts";
import { goesWrong, type Machine, mustBeOnDisk } from "./machine.ts";

/**
 * The journal as a process opens it: what is read then is on disk for good. Records are written in the order in which they are
 * given, each at a turn of its own; a process that dies before takes them with it. After a failure nothing more is written.
 */
export function openJournal(machine: Machine): Journal {
  const inner = memoryJournal({ clock: machine.scheduler, entries: machine.entries });
  machine.synced = machine.entries.length;
  const shows = new Map<number, () => void>();
  let failure: OutsideFailure | undefined;
  const mustWork = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    ...inner,
    async append(body, options) {
      mustWork();
      const entry = await inner.append(body, { sync: options.sync });
      shows.set(entry.seq, () => options.written?.(entry));
      machine.handed = entry.seq;
      await machine.scheduler.point(`the record of ${body.type}`);
      mustWork();
      if (goesWrong(machine, "disk full")) failure = noSpace(machine, "the journal");
      mustWork();
      write(machine, inner.entries, entry.seq);
      for (const [seq, show] of shows) {
        if (seq > entry.seq) break;
        shows.delete(seq);
        show();
      }
      if (options.sync) machine.synced = Math.max(machine.synced, entry.seq);
      await machine.scheduler.point(`what follows the record of ${body.type}`);
      if (entry.type === "settle")
        mustBeOnDisk(machine, entry.seq, `the run goes on before the outcome of ${entry.key}`);
      return entry;
    },
  };
}

function write(machine: Machine, entries: readonly Entry[], upTo: number): void {
  for (const written of entries.slice(machine.entries.length, upTo)) {
    machine.trace.push(`  ${written.seq} ${describeEntry(written)}`);
  }
  if (upTo > machine.entries.length) machine.entries = entries.slice(0, upTo);
}

/** A power cut takes what was not synced, or some of it. */
export function cutPower(machine: Machine): void {
  const kept = machine.synced + machine.chance.below(machine.entries.length - machine.synced + 1);
  machine.lost.push(...machine.entries.slice(kept));
  machine.entries = machine.entries.slice(0, kept);
  machine.trace.push(`  the power fails: ${kept} records are left`);
}

function describeEntry(entry: Entry): string {
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
