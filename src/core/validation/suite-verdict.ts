// What a run of the suite says of a change. The views import it, so it loads nothing.

/** A test run, held against what was known. Names are in the order of the report's names. */
export interface ComparedResults {
  /** Passed before, fail now. */
  readonly broken: readonly string[];
  /** Not known before, fail now: the change's own tests. */
  readonly unfinished: readonly string[];
  /** Failed before, and fail now. */
  readonly preExisting: readonly string[];
  /** Failed before, pass now. */
  readonly repaired: readonly string[];
  /** Were run before, and are not run any more. */
  readonly vanished: readonly string[];
  /** How many there are now. */
  readonly total: number;
}

/** What one run of the suite says. `red`: it failed in a way that no names explain. */
export type SuiteVerdict = ComparedResults & { readonly red: boolean };

/** Whether nothing that was not red before is red now. */
export function isGood({ red, broken, unfinished }: SuiteVerdict): boolean {
  return !red && broken.length === 0 && unfinished.length === 0;
}
