// Which dispatches are to be expected from an approved plan on: each task with its reviews and rounds of fixes, and what
// comes after the last task.

import { type Difficulty, difficulties } from "../flow/dispatch.ts";
import { ceremonies, type ModeSettings } from "../run/ceremony.ts";
import type { PastRun } from "./experience.ts";
import { isBelievable, multiple, nothing, percentile, plus, type Range } from "./forecast-range.ts";

export interface ExpectedDispatches {
  readonly role: string;
  readonly difficulty: Difficulty | null;
  readonly times: Range;
}

export interface Prospect {
  readonly tasks: readonly { readonly complexity: Difficulty }[];
  readonly settings: ModeSettings;
  readonly review: "iterative" | "single-pass";
}

export function expectedDispatches(prospect: Prospect, past: readonly PastRun[]): readonly ExpectedDispatches[] {
  const { tasks, settings } = prospect;
  // The first look and a round are the same dispatches: one writer, and every reviewer.
  const looks = plus(once, roundsPerTask(prospect, past));
  const writers = difficulties.map((difficulty) => {
    const share = tasks.filter(({ complexity }) => complexity === difficulty).length;
    return { role: "implementer", difficulty, times: multiple(looks, share) };
  });
  const reviews = settings.review.reviewers.map((role) => reader(role, multiple(looks, tasks.length)));
  return [...writers, ...reviews, ...afterTheTasks(prospect)].filter(({ times }) => times.high > 0);
}

const once: Range = { low: 1, expected: 1, high: 1 };
const perhaps: Range = { low: 0, expected: 0, high: 1 };

/** Half of the tasks need a fix, as long as nobody knows better. */
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
