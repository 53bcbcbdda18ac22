// What a run can be started and gone on with.

import type { Mode } from "../core/run/config.ts";

export interface RunOptions {
  /** What the repository brings along counts in this run, without being asked about. */
  readonly trust?: boolean;
  readonly model?: string;
  readonly backend?: string;
  readonly execution?: "auto" | "checkpoint" | "batch";
  readonly batchSize?: number;
  readonly review?: "iterative" | "single-pass";
  /** The hard limit in dollars, over the configuration's. */
  readonly budget?: number | undefined;
  /** Sleep while a provider's quota is used up, instead of suspending the run. */
  readonly wait?: boolean;
}

export interface NextOptions extends RunOptions {
  readonly dryRun?: boolean;
}

export interface StartOptions extends NextOptions {
  readonly goal: string;
  readonly mode?: Mode | undefined;
  readonly skipBrainstorm?: boolean;
}
