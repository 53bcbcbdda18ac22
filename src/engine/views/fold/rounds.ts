// How many rounds of fix and re-review there are before the person is asked: what the configuration says, else the mode.

import { ceremonies } from "../../../core/run/ceremony.ts";
import { fieldsOf } from "./fields.ts";
import type { RunView } from "./shape.ts";

export interface RoundLimits {
  readonly plan: number | undefined;
  readonly task: number | undefined;
}

/** Undefined as long as neither is known. */
export function roundLimits({ config, mode }: RunView): RoundLimits {
  const usual = mode === null ? undefined : ceremonies[mode].rounds;
  const review = fieldsOf(fieldsOf(config)["review"]);
  const limit = (set: unknown): number | undefined => (typeof set === "number" ? set : usual);
  return { plan: limit(review["maxPlanReviewCycles"]), task: limit(review["maxTaskReviewCycles"]) };
}
