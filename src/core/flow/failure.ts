// Everything that can go wrong in a run, as data. A new kind of failure is a new line here.

export type Failure =
  /** The person chose to end the run. */
  | { readonly kind: "aborted"; readonly step: string; readonly detail: string }
  /** What was agreed cannot be done, and a retry does not help, such as a goal split into no parts. */
  | { readonly kind: "impossible"; readonly step: string; readonly detail: string }
  /** A branch of a race that was not the first. */
  | { readonly kind: "cancelled"; readonly step: string; readonly detail: string };

/** Unwinds a flow with a failure that is data. Anything else that is thrown in a flow is a bug. */
export class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`${failure.step}: ${failure.detail}`);
    this.name = "Failed";
    this.failure = failure;
  }
}
