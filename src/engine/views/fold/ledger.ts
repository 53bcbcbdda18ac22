// The ledger: a line per dispatch with all its tries, and the same money by phase, task, role and model. Nothing is ever removed from it,
// whatever is interrupted, started again or undone. It is the only count of money: the budget decides by it, and people see it.

import type { Difficulty, DispatchFailureKind, DispatchOutcome, Usage } from "../../../core/flow/dispatch.ts";
import { addUsage, noUsage, tokensOf } from "../../../core/flow/dispatch.ts";
import type { DispatchRequest } from "../../../core/flow/flow.ts";
import { isInside } from "../../../core/flow/keys.ts";
import type { Amounts } from "../../../core/money/budget.ts";
import type { Sample } from "../../../core/money/experience.ts";
import type { TestFirst } from "../../../core/test-first/guard.ts";
import type { InPipeline, Where } from "./where.ts";

/** Older ones say less about what the next dispatch costs. */
const samplesKept = 64;

/** Money and tokens over all tries, and how many agent processes they were for. */
export type Spend = Usage & { readonly dispatches: number };

export interface DispatchLine {
  readonly key: string;
  readonly role: string;
  /** The name of its step: `implement`, `spec-review`. */
  readonly name: string;
  readonly difficulty: Difficulty | null;
  readonly phase: string | null;
  readonly task: string | null;
  /** The model that really ran last; null as long as none has answered. */
  model: string | null;
  tries: number;
  usage: Usage;
  /** When the current try began, and how long it took or has taken so far. */
  since: number;
  ms: number;
  /** Of tries that were interrupted. */
  earlierMs: number;
  /** Null as long as it runs, or when it was interrupted. */
  outcome: "finished" | DispatchFailureKind | null;
  /** What the guard for test-first work did in the try that has an outcome. */
  testFirst?: TestFirst;
  /** The models that have answered in the current try. */
  answeredBy: Set<string>;
}

/** What a model has used. Only what it reported itself says whether it has a price. */
interface ModelReport {
  costUsd: number;
  reportedTokens: number;
  tokens: number;
  dispatches: number;
}

interface SampleGroup extends Sample {
  readonly costsUsd: number[];
  readonly ms: number[];
}

export const nothingSpent: Spend = { ...noUsage, dispatches: 0 };

export class Ledger {
  total = nothingSpent;
  readonly roles = new Map<string, Spend>();
  readonly phases = new Map<string, Spend>();
  readonly tasks = new Map<string, Spend>();
  /** By the model that really ran. A dispatch that no model answered is in none. */
  readonly models = new Map<string, Spend>();
  readonly dispatches = new Map<string, DispatchLine>();
  readonly reports = new Map<string, ModelReport>();
  /** What dispatches of each kind have cost, by role. Interrupted attempts are part of the one that ended. */
  readonly samples = new Map<string, SampleGroup[]>();
}

interface Begun {
  readonly key: string;
  readonly request: Pick<DispatchRequest, "role" | "name" | "difficulty">;
  readonly where: Where;
  readonly at: number;
}

export function bookBegin(ledger: Ledger, begun: Begun): void {
  const line = ledger.dispatches.get(begun.key) ?? newLine(begun);
  ledger.dispatches.set(begun.key, line);
  const again = { earlierMs: line.earlierMs + line.ms, since: begun.at, ms: 0, outcome: null, answeredBy: new Set() };
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
  // A dispatch that nothing is known of has no try to count.
  const isFirst = line.tries > 0 && !line.answeredBy.has(model);
  line.answeredBy.add(model);
  report(ledger, { model, usage, isFirst });
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
  const { role, difficulty } = line;
  const group = sampleGroup(ledger, { role, difficulty, model: outcome.model });
  push(group.costsUsd, line.usage.costUsd);
  push(group.ms, line.ms);
}

/** All that was spent, and what models without a price have used. A model that turns out to have one is no longer among them. */
export function amountsSpent({ total, reports }: Ledger): Amounts {
  const unpriced = [...reports.values()].filter(({ costUsd }) => costUsd === 0);
  const sum = (unit: "tokens" | "dispatches"): number => unpriced.reduce((all, report) => all + report[unit], 0);
  return { usd: total.costUsd, tokens: sum("tokens"), dispatches: sum("dispatches") };
}

/** Whether a model has told what it used, and never a cost. */
export function hasNoPrice({ reports }: Ledger, model: string): boolean {
  const known = reports.get(model);
  return known !== undefined && known.reportedTokens > 0 && known.costUsd === 0;
}

/** What a token of this model has cost so far; 0 when that is not known. */
export function usdPerToken({ reports }: Ledger, model: string): number {
  const { costUsd, reportedTokens } = reports.get(model) ?? noReport;
  return reportedTokens === 0 ? 0 : costUsd / reportedTokens;
}

/** What all dispatches of a scope, and of those inside it, have cost. */
export function spentInside({ dispatches }: Ledger, scope: string): Usage {
  const lines = [...dispatches.values()].filter(({ key }) => isInside(key, scope));
  return lines.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/** What a token of each model that has told what it used has cost. */
export function pricesIn(ledger: Ledger): Readonly<Record<string, number>> {
  const known = [...ledger.reports].filter(([, { reportedTokens }]) => reportedTokens > 0);
  return Object.fromEntries(known.map(([model]) => [model, usdPerToken(ledger, model)]));
}

/** A copy to be kept: the ledger's own grow. */
export function samplesIn({ samples }: Ledger): Sample[] {
  return [...samples.values()].flat().map((group) => ({ ...group, costsUsd: [...group.costsUsd], ms: [...group.ms] }));
}

/** Some models have no price, and some providers report none: what was used is known then, and not what it cost. */
export function isUnpriced(usage: Usage): boolean {
  return usage.costUsd === 0 && tokensOf(usage) > 0;
}

/** Spend outside implementation over total spend; null when nothing was spent. */
export function ceremonyRatio({ spend, pipeline }: InPipeline & { readonly spend: Ledger }): number | null {
  const { total, roles } = spend;
  if (total.costUsd <= 0) return null;
  const building = pipeline.roles.filter(({ builds }) => builds).map(({ name }) => roles.get(name)?.costUsd ?? 0);
  const implementing = building.reduce((sum, costUsd) => sum + costUsd, 0);
  return Math.min(1, Math.max(0, 1 - implementing / total.costUsd));
}

function newLine({ key, request, where, at }: Begun): DispatchLine {
  const { role, name, difficulty = null } = request;
  const { phase, task } = where;
  const nothing = { model: null, tries: 0, usage: noUsage, since: at, ms: 0, earlierMs: 0, outcome: null };
  return { key, role, name, difficulty, phase, task, ...nothing, answeredBy: new Set() };
}

const noReport: Readonly<ModelReport> = { costUsd: 0, reportedTokens: 0, tokens: 0, dispatches: 0 };

function report({ reports }: Ledger, turn: { model: string; usage: Usage; isFirst: boolean }): void {
  const { model, usage, isFirst } = turn;
  const known = reports.get(model) ?? { ...noReport };
  reports.set(model, known);
  known.tokens += tokensOf(usage);
  known.dispatches += isFirst ? 1 : 0;
  if (usage.estimated) return;
  known.costUsd += usage.costUsd;
  known.reportedTokens += tokensOf(usage);
}

function sampleGroup({ samples }: Ledger, kind: Pick<Sample, "role" | "difficulty" | "model">): SampleGroup {
  const groups = samples.get(kind.role) ?? [];
  samples.set(kind.role, groups);
  const known = groups.find(({ difficulty, model }) => difficulty === kind.difficulty && model === kind.model);
  if (known) return known;
  const group: SampleGroup = { ...kind, costsUsd: [], ms: [] };
  groups.push(group);
  return group;
}

function push(list: number[], value: number): void {
  list.push(value);
  if (list.length > samplesKept) list.shift();
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
