// What a dispatch is expected to cost before it starts: as much as others of its kind did.

import type { Difficulty } from "../flow/dispatch.ts";
import type { Sample } from "./experience.ts";

export interface Kind {
  readonly role: string;
  readonly difficulty: Difficulty | null;
  /** Null for the backend's own default. */
  readonly model: string | null;
}

/** For a dispatch whose like was never seen. */
export const unknownDispatchUsd = 0.5;

/** Older ones say less. */
const samplesUsed = 16;

/** Sources come in the order in which they are believed; each has samples of this role. */
export function reservationUsd(kind: Kind, sources: readonly (readonly Sample[])[]): number {
  for (const samples of sources) {
    const costs = nearest(kind, samples);
    if (costs.length > 0) return mean(costs.slice(-samplesUsed));
  }
  return unknownDispatchUsd;
}

/** The model says more about a cost than how hard the work is. */
function nearest({ difficulty, model }: Kind, samples: readonly Sample[]): readonly number[] {
  const sameModel = samples.filter((sample) => model === null || sample.model === model);
  for (const candidates of [sameModel, samples]) {
    const same = candidates.filter((sample) => sample.difficulty === difficulty);
    const costs = (same.length > 0 ? same : candidates).flatMap(({ costsUsd }) => costsUsd);
    if (costs.length > 0) return costs;
  }
  return [];
}

function mean(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length;
}
