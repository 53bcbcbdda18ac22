// What is read out of JSON that another build, a model or a person may have written: what is not an object has no fields.

import { ceremonies } from "../../../core/run/ceremony.ts";
import type { RunView } from "./shape.ts";

export function fieldsOf(thing: unknown): Readonly<Record<string, unknown>> {
  return typeof thing === "object" && thing !== null ? { ...thing } : {};
}

/** The id that a model gave it; empty when there is none. */
export function idOf(thing: unknown): string {
  const { id } = fieldsOf(thing);
  return typeof id === "string" ? id : "";
}

/** Rounds of fix and re-review before the person is asked: what the configuration says, else the mode. */
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

/** What the configuration says, as the run has read it last; that is so unless it says otherwise. */
export function wantsTestFirst({ config }: RunView): boolean {
  return fieldsOf(config)["tdd"] !== "off";
}
