// From which tree a place is furnished, and what runs there.

export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Runs a command line in a folder. */
export type RunIn = (folder: string, command: string) => Promise<{ readonly passed: boolean; readonly output: string }>;
