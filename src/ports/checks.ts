/** What running a command came to. It never throws for what the command does. */
export interface CheckRun {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of stdout and stderr together, bounded. */
  readonly output: string;
  readonly durationMs: number;
}

/** Runs a command line in the working tree with the person's shell. Aborting the signal ends the whole tree of processes. */
export interface Checks {
  run(command: string, signal: AbortSignal): Promise<CheckRun>;
}
