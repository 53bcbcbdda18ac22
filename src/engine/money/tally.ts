// The ledger as a running count: what was spent, and what each kind of dispatch cost. It takes each entry of the journal
// once, in order, and each costs the same however long the run is.

import { type DispatchOutcome, tokensOf, type Usage } from "../../core/flow/dispatch.ts";
import type { DispatchRequest, Request } from "../../core/flow/flow.ts";
import { readAside } from "../../core/flow/keys.ts";
import { type Amounts, type Unit, unitRaised } from "../../core/money/budget.ts";
import type { Headway } from "../../core/money/budget-questions.ts";
import type { Sample } from "../../core/money/experience.ts";
import type { Entry, Note } from "../../ports/journal.ts";
import type { LiveEvent, World } from "../drive/world.ts";
import { HeadwayCount } from "./headway.ts";

/** Older ones say less about what the next dispatch costs. */
const samplesKept = 64;

interface OpenDispatch {
  readonly request: DispatchRequest;
  costUsd: number;
  /** Models that answered in its current try. */
  models: Set<string>;
}

interface Group extends Sample {
  readonly costsUsd: number[];
  readonly ms: number[];
}

/** What a model has used. Only what it reported itself says whether it has a price. */
interface ModelCount {
  costUsd: number;
  reportedTokens: number;
  tokens: number;
  dispatches: number;
}

export class Tally {
  #spentUsd = 0;
  readonly #open = new Map<string, OpenDispatch>();
  readonly #groups = new Map<string, Group>();
  readonly #byRole = new Map<string, Group[]>();
  readonly #models = new Map<string, ModelCount>();
  readonly #unpriced = { tokens: 0, dispatches: 0 };
  readonly #headway = new HeadwayCount();
  #heard: (key: string, costUsd: number) => void = () => undefined;
  readonly #asking = new Set<string>();
  readonly #raised: Record<Unit, number> = { usd: 0, tokens: 0, dispatches: 0 };

  /** All that was spent in this run, in whatever life and attempt. */
  get spentUsd(): number {
    return this.#spentUsd;
  }

  /** The same, with what models without a price have used. */
  get spent(): Amounts {
    return { usd: this.#spentUsd, ...this.#unpriced };
  }

  /** What the person has raised each limit to; 0 where they have not. */
  get raised(): Amounts {
    return this.#raised;
  }

  /** Calls back for what is spent from now on, as soon as it counts. */
  listen(hear: (key: string, costUsd: number) => void): void {
    this.#heard = hear;
  }

  get headway(): Headway | null {
    return this.#headway.headway;
  }

  /** Whether a question about the budget waits for its answer. */
  get isAsking(): boolean {
    return this.#asking.size > 0;
  }

  take(entry: Entry): void {
    if (entry.type === "begin") this.#begin(entry.key, entry.request);
    else if (entry.type === "settle") this.#settle(entry.key, entry.outcome);
    else if (entry.type === "note" && entry.note.type === "usage") this.#use(entry.key, entry.note);
  }

  /** What dispatches of each kind have cost; interrupted attempts are part of the one that ended. */
  samples(): readonly Sample[] {
    return [...this.#groups.values()].map((group) => ({ ...group, costsUsd: [...group.costsUsd], ms: [...group.ms] }));
  }

  /** The same of one role, to be looked at and not kept. */
  samplesOf(role: string): readonly Sample[] {
    return this.#byRole.get(role) ?? [];
  }

  /** Whether a model has told what it used, and never a cost. */
  isUnpriced(model: string): boolean {
    const known = this.#models.get(model);
    return known !== undefined && known.reportedTokens > 0 && known.costUsd === 0;
  }

  /** What a token of this model has cost so far; 0 when that is not known. */
  usdPerToken(model: string): number {
    const { costUsd, reportedTokens } = this.#models.get(model) ?? { costUsd: 0, reportedTokens: 0 };
    return reportedTokens === 0 ? 0 : costUsd / reportedTokens;
  }

  #begin(key: string, request: Request): void {
    if (request.do === "record") this.#headway.learn(request.fact);
    if (request.do === "ask" && readAside(key)?.id.startsWith("budget.")) this.#asking.add(key);
    if (request.do !== "dispatch") return;
    const open = this.#open.get(key);
    if (open) open.models = new Set();
    else this.#open.set(key, { request, costUsd: 0, models: new Set() });
  }

  #use(key: string, { model, usage }: Note & { readonly type: "usage" }): void {
    this.#spentUsd += usage.costUsd;
    this.#headway.pay(key, usage.costUsd);
    const open = this.#open.get(key);
    if (open) open.costUsd += usage.costUsd;
    const known = this.#models.get(model) ?? { costUsd: 0, reportedTokens: 0, tokens: 0, dispatches: 0 };
    this.#models.set(model, known);
    const isFirst = open !== undefined && !open.models.has(model);
    if (isFirst) open.models.add(model);
    this.#recount(known, () => count(known, usage, isFirst));
    this.#heard(key, usage.costUsd);
  }

  /** A model that turns out to have a price is no longer limited in tokens. */
  #recount(known: ModelCount, change: () => void): void {
    const unpriced = (sign: 1 | -1): void => {
      if (known.costUsd > 0) return;
      this.#unpriced.tokens += sign * known.tokens;
      this.#unpriced.dispatches += sign * known.dispatches;
    };
    unpriced(-1);
    change();
    unpriced(1);
  }

  #settle(key: string, outcome: unknown): void {
    if (this.#asking.delete(key)) this.#answer(key, Number(outcome));
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    // The engine settles a dispatch with this shape.
    const { model, durationMs } = outcome as DispatchOutcome;
    const { role, difficulty = null } = open.request;
    const group = this.#group({ role, difficulty, model });
    push(group.costsUsd, open.costUsd);
    push(group.ms, Math.max(0, durationMs));
  }

  /** The key says what the amount is of. A question that was taken back is settled with no number. */
  #answer(key: string, amount: number): void {
    const unit = unitRaised(key);
    if (unit !== undefined && amount > this.#raised[unit]) this.#raised[unit] = amount;
  }

  #group(kind: Pick<Sample, "role" | "difficulty" | "model">): Group {
    const name = JSON.stringify([kind.role, kind.difficulty, kind.model]);
    const known = this.#groups.get(name);
    if (known) return known;
    const group: Group = { ...kind, costsUsd: [], ms: [] };
    this.#groups.set(name, group);
    this.#byRole.set(kind.role, [...(this.#byRole.get(kind.role) ?? []), group]);
    return group;
  }
}

/** Every entry, those that are there already first, is counted. */
export function counting<W extends Pick<World, "journal" | "watch">>(world: W, tally: Tally): W {
  for (const entry of world.journal.entries) tally.take(entry);
  const watch = (sight: LiveEvent): void => {
    if (sight.type === "entry") tally.take(sight.entry);
    world.watch(sight);
  };
  return { ...world, watch };
}

function count(known: ModelCount, usage: Usage, isFirst: boolean): void {
  known.tokens += tokensOf(usage);
  known.dispatches += isFirst ? 1 : 0;
  if (usage.estimated) return;
  known.costUsd += usage.costUsd;
  known.reportedTokens += tokensOf(usage);
}

function push(list: number[], value: number): void {
  list.push(value);
  if (list.length > samplesKept) list.shift();
}
