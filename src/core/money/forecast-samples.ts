// What a dispatch of one kind costs and how long it takes: from the most similar earlier dispatches, or else a guess.

import type { Difficulty } from "../flow/dispatch.ts";
import type { Experience, Sample } from "./experience.ts";
import { isBelievable, type Range, rangeOf } from "./forecast-range.ts";
import type { Kind } from "./reservation.ts";

export interface Price {
  /** Undefined when the model tells no price. */
  readonly usd: Range | undefined;
  readonly ms: Range;
  /** What it is based on; nothing for a guess. */
  readonly samples: readonly Sample[];
}

export interface Memory {
  readonly own: readonly Sample[];
  readonly past: readonly Sample[];
}

/** What of the past can be used. */
export function memoryOf({ own, past }: Pick<Experience, "own" | "past">): Memory {
  return { own: own.flatMap(usable), past: past.flatMap(({ samples }) => samples.flatMap(usable)) };
}

/** What cannot be is left out; so is a dispatch for nothing where others were paid for: it failed before it began. */
function usable(sample: Sample): Sample[] {
  const pairs = sample.costsUsd
    .map((costUsd, index) => ({ costUsd, ms: sample.ms[index] ?? Number.NaN }))
    .filter(({ costUsd, ms }) => isBelievable(costUsd) && isBelievable(ms));
  const paid = pairs.filter(({ costUsd }) => costUsd > 0);
  const kept = paid.length > 0 ? paid : pairs;
  if (kept.length === 0) return [];
  return [{ ...sample, costsUsd: kept.map(({ costUsd }) => costUsd), ms: kept.map(({ ms }) => ms) }];
}

export function priceOf(kind: Kind, memory: Memory): Price {
  const isFree = isUnpriced(kind, memory);
  const samples = nearest(kind, memory, (sample) => isFree || isPaid(sample));
  const ms = rangeOf(samples.flatMap((sample) => sample.ms));
  const usd = rangeOf(samples.flatMap(({ costsUsd }) => costsUsd));
  const guess = guessOf(kind);
  return { usd: isFree ? undefined : (usd ?? guess.usd), ms: ms ?? guess.ms, samples };
}

const isPaid = ({ costsUsd }: Sample): boolean => costsUsd.some((cost) => cost > 0);

/** A model that has worked and never cost anything tells no price. */
function isUnpriced({ model }: Kind, { own, past }: Memory): boolean {
  if (model === null) return false;
  const seen = [...own, ...past].filter((sample) => isModel(sample.model, model));
  return seen.length > 0 && !seen.some(isPaid);
}

/** So many dispatches say enough; until then those a little further off count too. */
const enough = 3;

/** This run's own first, then the same kind in earlier runs, then the same role and model, then the role alone. */
function nearest(kind: Kind, { own, past }: Memory, isWanted: (sample: Sample) => boolean): readonly Sample[] {
  const mine = own.filter((sample) => sample.role === kind.role && isWanted(sample));
  const all = [...mine, ...past.filter((sample) => sample.role === kind.role && isWanted(sample))];
  const sameModel = all.filter((sample) => isModel(sample.model, kind.model));
  const same = sameModel.filter((sample) => sample.difficulty === kind.difficulty);
  const circles = [same.filter((sample) => mine.includes(sample)), same, sameModel, all];
  return circles.find((samples) => countOf(samples) >= enough) ?? all;
}

export function countOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { costsUsd }) => sum + costsUsd.length, 0);
}

/** Whether what ran is what was asked for, which may be named without its provider or with a level of thinking. */
function isModel(ran: string | null, asked: string | null): boolean {
  if (asked === null || ran === asked) return true;
  return ran !== null && (ran.endsWith(`/${asked}`) || asked.startsWith(`${ran}:`));
}

const minute = 60_000;
const writing: Readonly<Record<Difficulty, { readonly usd: number; readonly ms: number }>> = {
  easy: { usd: 0.2, ms: 3 * minute },
  medium: { usd: 0.4, ms: 6 * minute },
  hard: { usd: 1, ms: 12 * minute },
};
const reading = { usd: 0.15, ms: 2 * minute };

function guessOf({ role, difficulty }: Kind): { readonly usd: Range; readonly ms: Range } {
  const { usd, ms } = role === "implementer" ? writing[difficulty ?? "medium"] : reading;
  return { usd: around(usd), ms: around(ms) };
}

const around = (expected: number): Range => ({ low: expected / 2, expected, high: expected * 2 });
