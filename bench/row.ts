// A row of the benchmark: a ratio of two things measured side by side in one run, and the bar it must stay under.
// Ratios, because machines are noisy; medians of interleaved rounds, because noise comes in bursts.

import type { PromptLine } from "./prompts.ts";

export interface Row {
  readonly name: string;
  /** What is divided by what, in words. */
  readonly what: string;
  readonly bar: number;
  /** `strain` is 1, or more when a slowdown is planted: the measured side then really does its work that many times. */
  readonly measure: (strain: number) => Promise<Measured>;
}

export interface Measured {
  readonly ratio: number;
  /** The two sides, in the unit given. */
  readonly ours: number;
  readonly theirs: number;
  readonly unit: string;
  /** What was seen on the way: what each role was given. */
  readonly prompts?: readonly PromptLine[];
}

export type Side = () => Promise<number>;

/** Runs both sides in turn, now the one first and now the other, and compares their medians. */
export async function sideBySide(
  rounds: number,
  unit: string,
  sides: { readonly ours: Side; readonly theirs: Side },
): Promise<Measured> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) ours.push(await sides.ours());
    theirs.push(await sides.theirs());
    if (round % 2 === 0) ours.push(await sides.ours());
  }
  return { ratio: median(ours) / median(theirs), ours: median(ours), theirs: median(theirs), unit };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds that something takes, when it is done so many times. */
export async function timed(times: number, act: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time++) await act();
  return performance.now() - start;
}
