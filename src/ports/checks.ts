import type { CheckOutcome } from "../core/flow/check.ts";

/** How a command ended. It never throws for what the command does. */
export type CheckRun = Omit<CheckOutcome, "passed" | "tree">;

/** Runs a command line in the working tree with the person's shell. Aborting the signal ends the whole tree of processes. */
export interface Checks {
  run(command: string, signal: AbortSignal): Promise<CheckRun>;
}
