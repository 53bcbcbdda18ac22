// The ledger as a running count: what was spent, and what each kind of dispatch cost. It takes each entry of the journal
// once, in order, and each costs the same however long the run is.

import type { DispatchOutcome } from "../core/dispatch.ts";
import type { Sample } from "../core/experience.ts";
import type { DispatchRequest } from "../core/flow.ts";
import type { Entry } from "../ports/journal.ts";

/** Older ones say less about what the next dispatch costs. */
const samplesKept = 64;

interface OpenDispatch {
  readonly request: DispatchRequest;
  costUsd: number;
}

interface Group extends Sample {
  readonly costsUsd: number[];
  readonly ms: number[];
}

export class Tally {
  #spentUsd = 0;
  readonly #open = new Map<string, OpenDispatch>();
  readonly #groups = new Map<string, Group>();

  /** All that was spent in this run, in whatever life and attempt. */
  get spentUsd(): number {
    return this.#spentUsd;
  }

  take(entry: Entry): void {
    if (entry.type === "begin" && entry.request.do === "dispatch" && !this.#open.has(entry.key)) {
      this.#open.set(entry.key, { request: entry.request, costUsd: 0 });
    }
    if (entry.type === "note" && entry.note.type === "usage") this.#use(entry.key, entry.note.usage.costUsd);
    if (entry.type === "settle") this.#settle(entry.key, entry.outcome);
  }

  /** What dispatches of each kind have cost; interrupted attempts are part of the one that ended. */
  samples(): readonly Sample[] {
    return [...this.#groups.values()].map((group) => ({ ...group, costsUsd: [...group.costsUsd], ms: [...group.ms] }));
  }

  #use(key: string, costUsd: number): void {
    this.#spentUsd += costUsd;
    const open = this.#open.get(key);
    if (open) open.costUsd += costUsd;
  }

  #settle(key: string, outcome: unknown): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    // The engine settles a dispatch with this shape.
    const { model, durationMs } = outcome as DispatchOutcome;
    const { role, difficulty = null } = open.request;
    const name = JSON.stringify([role, difficulty, model]);
    const group = this.#groups.get(name) ?? { role, difficulty, model, costsUsd: [], ms: [] };
    this.#groups.set(name, group);
    push(group.costsUsd, open.costUsd);
    push(group.ms, Math.max(0, durationMs));
  }
}

function push(list: number[], value: number): void {
  list.push(value);
  if (list.length > samplesKept) list.shift();
}
