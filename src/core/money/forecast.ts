// What an approved plan will cost and how long it will take, before its first task: a range, what it is based on, and how far
// off earlier forecasts were.

import { type Difficulty, difficulties } from "../flow/dispatch.ts";
import { ceremonies } from "../run/ceremony.ts";
import type { ModeSettings } from "../run/mode-settings.ts";
import type { Experience, Forecast, PastRun, Sample } from "./experience.ts";
import { isBelievable, multiple, nothing, percentile, plus, product, type Range } from "./forecast-range.ts";
import { countOf, memoryOf, type Price, priceOf } from "./forecast-samples.ts";
import type { Kind } from "./reservation.ts";

export interface Outlook {
  readonly forecast: Forecast;
  /** Each kind of dispatch, and what is expected of it. */
  readonly items: readonly Item[];
  readonly dispatches: Range;
  /** How far off earlier forecasts were, as a share of what was expected; null when there were none. */
  readonly pastError: { readonly median: number; readonly runs: number } | null;
  readonly limitUsd: number;
  /** Whether the expected cost is within what is left of the limits. */
  readonly fits: boolean;
  /** How much of the expected cost is a guess, from 0 to 1: no dispatch of such a role is known. */
  readonly guessedShare: number;
}

export interface Item extends ExpectedDispatches {
  /** Null for a default that no dispatch has named yet. */
  readonly model: string | null;
  readonly price: Price;
}

export function forecast(prospect: Prospect, experience: Experience): Outlook {
  const memory = memoryOf(experience);
  const items = expectedDispatches(prospect, experience.past).map((expected) => {
    const model = modelOf(expected, experience);
    return { ...expected, model, price: priceOf({ ...expected, model }, memory) };
  });
  const made = sumUp(items, experience.spentUsd);
  const { hardLimitUsd, unpricedDispatches } = prospect.settings.costs;
  const limitUsd = Math.max(hardLimitUsd, experience.raisedUsd ?? 0);
  return {
    forecast: made,
    items,
    dispatches: items.map(({ times }) => times).reduce(plus, nothing),
    pastError: errorOf(experience.past),
    limitUsd,
    fits: made.spentUsd + made.expectedUsd <= limitUsd && (made.unpriced ?? 0) <= unpricedDispatches,
    guessedShare: guessedShareOf(items),
  };
}

function guessedShareOf(items: readonly Item[]): number {
  const costOf = (some: readonly Item[]): number =>
    some.reduce((sum, { times, price }) => sum + times.expected * (price.usd?.expected ?? 0), 0);
  const total = costOf(items);
  return total === 0 ? 0 : costOf(items.filter(({ price }) => price.samples.length === 0)) / total;
}

/** What one task is expected to cost, with its reviews and fixes; null when one of its models tells no price. */
export function taskCost(task: Prospect["tasks"][number], prospect: Prospect, experience: Experience): number | null {
  const memory = memoryOf(experience);
  const costs = dispatchesOfTasks({ ...prospect, tasks: [task] }, experience.past).map((expected) => {
    const { usd } = priceOf({ ...expected, model: modelOf(expected, experience) }, memory);
    return usd === undefined ? null : usd.expected * expected.times.expected;
  });
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** A role without a named model runs with the backend's default, which others like it have shown by now. */
function modelOf(kind: Omit<Kind, "model">, { own, models }: Experience): string | null {
  const shown = own.findLast((sample) => sample.model !== null && named(sample, models) === null);
  return named(kind, models) ?? shown?.model ?? null;
}

function named({ role, difficulty }: Omit<Kind, "model">, models: Experience["models"]): string | null {
  return models[difficulty === null ? role : `${role}/${difficulty}`] ?? models[role] ?? null;
}

function sumUp(items: readonly Item[], spentUsd: number): Forecast {
  const usd = items.map(({ times, price }) => product(times, price.usd ?? nothing)).reduce(plus, nothing);
  const ms = items.map(({ times, price }) => product(times, price.ms)).reduce(plus, nothing);
  const used: ReadonlySet<Sample> = new Set(items.flatMap(({ price }) => price.samples));
  const unpriced = items.filter(({ price }) => price.usd === undefined).map(({ times }) => times.expected);
  return {
    dispatches: rounded(items.map(({ times }) => times.expected)),
    lowUsd: usd.low,
    expectedUsd: usd.expected,
    highUsd: usd.high,
    lowMs: ms.low,
    highMs: ms.high,
    samples: countOf([...used]),
    spentUsd,
    ...(unpriced.length === 0 ? {} : { unpriced: rounded(unpriced) }),
  };
}

function rounded(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0));
}

function errorOf(past: readonly PastRun[]): Outlook["pastError"] {
  const errors = past
    .flatMap(({ how, costUsd, forecast: made }) => (how === "finished" && made ? [{ costUsd, made }] : []))
    .filter(({ made }) => made.expectedUsd > 0)
    .map(({ costUsd, made }) => Math.abs(costUsd - made.spentUsd - made.expectedUsd) / made.expectedUsd)
    .filter(isBelievable)
    .toSorted((left, right) => left - right);
  return errors.length === 0 ? null : { median: percentile(errors, 0.5), runs: errors.length };
}

interface ExpectedDispatches {
  readonly role: string;
  readonly difficulty: Difficulty | null;
  readonly times: Range;
}

export interface Prospect {
  readonly tasks: readonly { readonly complexity: Difficulty }[];
  readonly settings: ModeSettings;
  readonly review: "iterative" | "single-pass";
}

function expectedDispatches(prospect: Prospect, past: readonly PastRun[]): readonly ExpectedDispatches[] {
  return [...dispatchesOfTasks(prospect, past), ...afterTheTasks(prospect)].filter(({ times }) => times.high > 0);
}

function dispatchesOfTasks(prospect: Prospect, past: readonly PastRun[]): readonly ExpectedDispatches[] {
  const { tasks, settings } = prospect;
  // The first look and a round are the same dispatches: one writer, and every reviewer.
  const looks = plus(once, roundsPerTask(prospect, past));
  const writers = difficulties.map((difficulty) => {
    const share = tasks.filter(({ complexity }) => complexity === difficulty).length;
    return { role: "implementer", difficulty, times: multiple(looks, share) };
  });
  const reviews = settings.review.reviewers.map((role) => reader(role, multiple(looks, tasks.length)));
  return [...writers, ...reviews];
}

const once: Range = { low: 1, expected: 1, high: 1 };
const perhaps: Range = { low: 0, expected: 0, high: 1 };

/** Without history: half of the tasks need a fix. */
const roundsGuessed = 0.5;

function roundsPerTask({ settings, review }: Prospect, past: readonly PastRun[]): Range {
  if (review === "single-pass") return nothing;
  const most = settings.review.maxTaskReviewCycles;
  const known = past.filter(({ tasks, rounds }) => tasks > 0 && isBelievable(tasks) && isBelievable(rounds));
  const each = known.map(({ rounds, tasks }) => rounds / tasks).toSorted((left, right) => left - right);
  const mean = each.length === 0 ? roundsGuessed : each.reduce((sum, value) => sum + value, 0) / each.length;
  const expected = Math.min(most, mean);
  return { low: 0, expected, high: Math.min(most, Math.max(1, expected, percentile(each, 0.8))) };
}

/** A fix of the whole and the documentation are the person's to want: they count at most. */
function afterTheTasks({ tasks, settings: { mode }, review }: Prospect): readonly ExpectedDispatches[] {
  const { finalReview, docs } = ceremonies[mode];
  const isReviewed =
    tasks.length > 0 && (finalReview === "always" || (finalReview === "of-several" && tasks.length > 1));
  const mayBeFixed = isReviewed && review === "iterative";
  const wanted = (mayBeFixed ? 1 : 0) + (docs && tasks.length > 0 ? 1 : 0);
  return [
    ...(isReviewed ? [reader("final-reviewer", mayBeFixed ? plus(once, perhaps) : once)] : []),
    { role: "implementer", difficulty: null, times: multiple(perhaps, wanted) },
  ];
}

function reader(role: string, times: Range): ExpectedDispatches {
  return { role, difficulty: null, times };
}
