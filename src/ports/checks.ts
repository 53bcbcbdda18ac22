import type { CheckOutcome } from "../core/flow/check.ts";
import type { CommandFiles } from "../core/validation/scripts/script-files.ts";

/** How a command ended. It never throws for what the command does. */
export type CheckRun = Omit<CheckOutcome, "passed" | "tree">;

/**
 * `tests`: the command runs tests, and its outcome is to say which of them pass, as far as its runner can. `only`: if there are any,
 * these tests alone are of interest. A runner that cannot tell them apart runs all.
 */
export interface CheckOptions {
  readonly tests?: boolean;
  readonly only?: readonly string[];
  /** In which it is noted when nothing of its processes is left. */
  readonly folder?: string;
}

/** Runs a command line in the working tree with the person's shell. Aborting the signal ends the whole tree of processes. */
export interface Checks {
  run(command: string, signal: AbortSignal, options?: CheckOptions): Promise<CheckRun>;
  /** What the command runs from, as the tree is now. */
  files(command: string): Promise<CommandFiles>;
}
