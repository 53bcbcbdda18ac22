// The configuration as it applies in a mode: what it leaves open is as the mode's ceremony has it.

import { type CommandKey, withCommands } from "../validation/found-command.ts";
import { ceremonies, type TaskReviewer } from "./ceremony.ts";
import type { Config, Mode, ReviewConfig, Severity } from "./config.ts";

/** The reviews of a run, with nothing left open: what the configuration says, and else what the mode does. */
export interface ReviewRules extends Omit<ReviewConfig, "optional"> {
  readonly blockOnSeverity: Severity;
  readonly maxPlanReviewCycles: number;
  readonly maxTaskReviewCycles: number;
  readonly reviewers: readonly TaskReviewer[];
}

export interface ModeSettings extends Omit<Config, "review" | CommandKey>, Readonly<Record<CommandKey, string>> {
  readonly mode: Mode;
  readonly review: ReviewRules;
}

export function settingsIn(mode: Mode, config: Config): ModeSettings {
  const { rounds, blockOn, reviewers } = ceremonies[mode];
  const { optional, ...review } = config.review;
  return {
    ...withCommands(config, []),
    mode,
    review: {
      ...review,
      blockOnSeverity: review.blockOnSeverity ?? blockOn,
      maxPlanReviewCycles: review.maxPlanReviewCycles ?? rounds,
      maxTaskReviewCycles: review.maxTaskReviewCycles ?? rounds,
      reviewers: [...new Set([...reviewers, ...optional])],
    },
  };
}
