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

/** The samples are of this role. */
export function reservationUsd(kind: Kind, samples: readonly Sample[]): number {
  const costs = nearest(kind, samples).slice(-samplesUsed);
  return costs.length === 0 ? unknownDispatchUsd : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
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
