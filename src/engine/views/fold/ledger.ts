// The ledger: a line per dispatch with all its tries, and the same money under its phase, its task, its role and its
// model. Nothing is ever taken out of it, whatever is interrupted, started again or taken back.

import {
  addUsage,
  type DispatchFailureKind,
  type DispatchOutcome,
  noUsage,
  type Usage,
} from "../../../core/flow/dispatch.ts";
import type { DispatchRequest } from "../../../core/flow/flow.ts";
import type { TestFirst } from "../../../core/test-first/guard.ts";
import type { Where } from "./shape.ts";

/** Money and tokens over all tries, and how many agent processes they were for. */
export type Spend = Usage & { readonly dispatches: number };

export interface DispatchLine {
  readonly key: string;
  readonly role: string;
  /** The name of its step: `implement`, `spec-review`. */
  readonly name: string;
  readonly phase: string | null;
  readonly task: string | null;
  /** The model that really ran last; null as long as none has answered. */
  model: string | null;
  tries: number;
  usage: Usage;
  /** When the try that counts now began, and how long it took or takes so far. */
  since: number;
  ms: number;
  /** Of tries that were interrupted. */
  earlierMs: number;
  /** Null as long as it runs, or when it was interrupted. */
  outcome: "finished" | DispatchFailureKind | null;
  /** What the guard for test-first work did in the try that has an outcome. */
  testFirst?: TestFirst;
}

export interface Ledger {
  total: Spend;
  readonly roles: Map<string, Spend>;
  readonly phases: Map<string, Spend>;
  readonly tasks: Map<string, Spend>;
  /** By the model that really ran. A dispatch that no model answered is in none. */
  readonly models: Map<string, Spend>;
  readonly dispatches: Map<string, DispatchLine>;
}

export const nothingSpent: Spend = { ...noUsage, dispatches: 0 };

export function emptyLedger(): Ledger {
  const [roles, phases, tasks, models] = [new Map(), new Map(), new Map(), new Map()];
  return { total: nothingSpent, roles, phases, tasks, models, dispatches: new Map() };
}

interface Begun {
  readonly key: string;
  readonly request: Pick<DispatchRequest, "role" | "name">;
  readonly where: Where;
  readonly at: number;
}

export function bookBegin(ledger: Ledger, begun: Begun): void {
  const known = ledger.dispatches.get(begun.key);
  const line = known ?? newLine(begun);
  ledger.dispatches.set(begun.key, line);
  const again = { earlierMs: line.earlierMs + line.ms, since: begun.at, ms: 0, outcome: null };
  Object.assign(line, again, { tries: line.tries + 1 });
  book(ledger, line, oneMore);
}

export function bookModel(ledger: Ledger, key: string, model: string): void {
  const line = ledger.dispatches.get(key);
  if (!line) return;
  line.model = model;
  add(ledger.models, model, oneMore);
}

/** What a model turn used. `where` serves when nothing is known of the dispatch. */
export function bookUsage(ledger: Ledger, turn: { key: string; model: string; usage: Usage; where: Where }): void {
  const { key, model, usage, where } = turn;
  const line = ledger.dispatches.get(key) ?? newLine({ key, request: { role: "unknown", name: "" }, where, at: 0 });
  ledger.dispatches.set(key, line);
  line.usage = addUsage(line.usage, usage);
  const change = (spend: Spend): Spend => ({ ...spend, ...addUsage(spend, usage) });
  book(ledger, line, change);
  add(ledger.models, model, change);
}

/** Some sign of a dispatch: it has run at least until now. */
export function bookTime(ledger: Ledger, key: string, at: number): void {
  const line = ledger.dispatches.get(key);
  if (line && line.outcome === null) line.ms = Math.max(0, at - line.since);
}

export function bookOutcome(ledger: Ledger, key: string, outcome: DispatchOutcome | undefined): void {
  const line = ledger.dispatches.get(key);
  if (!line || !outcome) return;
  line.outcome = outcome.status === "finished" ? "finished" : outcome.kind;
  line.ms = Math.max(0, outcome.durationMs);
  line.model = outcome.model ?? line.model;
  if (outcome.testFirst) line.testFirst = outcome.testFirst;
}

/** Some models have no price, and some providers report none: what was used is known then, and not what it cost. */
export function isUnpriced(usage: Usage): boolean {
  return usage.costUsd === 0 && tokensIn(usage) + usage.output > 0;
}

/** All that a model was given to read, cached or not. */
export function tokensIn({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** Spend outside implementation over total spend; null when nothing was spent. */
export function ceremonyRatio({ total, roles }: Ledger): number | null {
  if (total.costUsd <= 0) return null;
  const implementing = roles.get("implementer")?.costUsd ?? 0;
  return Math.min(1, Math.max(0, 1 - implementing / total.costUsd));
}

function newLine({ key, request, where, at }: Begun): DispatchLine {
  const { phase, task } = where;
  const nothing = { model: null, tries: 0, usage: noUsage, since: at, ms: 0, earlierMs: 0, outcome: null };
  return { key, role: request.role, name: request.name, phase, task, ...nothing };
}

function oneMore(spend: Spend): Spend {
  return { ...spend, dispatches: spend.dispatches + 1 };
}

/** The total, and the same under its role, its phase and its task. */
function book(ledger: Ledger, { role, phase, task }: DispatchLine, change: (spend: Spend) => Spend): void {
  ledger.total = change(ledger.total);
  add(ledger.roles, role, change);
  if (phase !== null) add(ledger.phases, phase, change);
  if (task !== null) add(ledger.tasks, task, change);
}

function add(spends: Map<string, Spend>, name: string, change: (spend: Spend) => Spend): void {
  spends.set(name, change(spends.get(name) ?? nothingSpent));
}
