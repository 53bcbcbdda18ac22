// What is done about what blocks a run. One table and one function decide it for everything that fails, in every phase, before the
// person is asked. They may set the actions of nine types of failure. The actions of all others are fixed, and end with the person.

export const failureTypes = [
  "parse-error",
  "test-regression",
  "test-flake",
  "test-preexisting",
  "tool-timeout",
  "budget-threshold",
  "review-max-retries",
  "validation-failure",
  "impl-crash",
] as const;
export type FailureType = (typeof failureTypes)[number];

export const failureActions = [
  "auto-retry",
  "warn-continue",
  "ignore",
  "stop-show-diff",
  "retry-then-escalate",
  "checkpoint",
  "escalate",
] as const;
export type FailureAction = (typeof failureActions)[number];

export const defaultFailureActions = {
  "parse-error": "auto-retry",
  "test-regression": "stop-show-diff",
  "test-flake": "warn-continue",
  "test-preexisting": "ignore",
  "tool-timeout": "retry-then-escalate",
  "budget-threshold": "checkpoint",
  "review-max-retries": "escalate",
  "validation-failure": "retry-then-escalate",
  "impl-crash": "retry-then-escalate",
} as const satisfies Readonly<Record<FailureType, FailureAction>>;

/** An agent that failed has left nothing: there is no diff to show. */
const ofAgent = ["auto-retry", "retry-then-escalate", "escalate"] as const;
/** Bad work is never let through by a setting: that takes evidence, or the person's word (T1). */
const ofWork = ["auto-retry", "retry-then-escalate", "stop-show-diff", "escalate"] as const;
/** What stops nothing by itself. */
const ofNotice = ["ignore", "warn-continue", "checkpoint"] as const;

export const possibleActions = {
  "parse-error": ofAgent,
  "test-regression": ofWork,
  "test-flake": ofNotice,
  "test-preexisting": ofNotice,
  "tool-timeout": ofAgent,
  "budget-threshold": ofNotice,
  // How many rounds there are is a setting of its own.
  "review-max-retries": ["stop-show-diff", "escalate"],
  "validation-failure": ofWork,
  "impl-crash": ofAgent,
} as const satisfies Readonly<Record<FailureType, readonly FailureAction[]>>;

export type FailureActions = { readonly [T in FailureType]?: FailureAction | undefined };

export function resolveFailureAction(type: FailureType, overrides: FailureActions = {}): FailureAction {
  return overrides[type] ?? defaultFailureActions[type];
}

/** No setting changes these. A second try is made where the cause may have passed by itself. */
const fixedActions = {
  "reader-wrote": "retry-then-escalate",
  "tree-moved": "retry-then-escalate",
  "not-test-first": "retry-then-escalate",
  "provider-refused": "escalate",
  "commit-refused": "escalate",
  "nothing-changed": "escalate",
  "implementer-blocked": "escalate",
  "grave-claim": "escalate",
  "review-inconclusive": "escalate",
  "revision-refused": "escalate",
  "baseline-unusable": "escalate",
  "no-place": "escalate",
  "fails-alone": "escalate",
  "changed-by-hook": "escalate",
  "files-of-both": "escalate",
  "commits-in-the-way": "escalate",
} as const satisfies Readonly<Record<string, FailureAction>>;

/** Everything that can block a run. */
export type Matter = FailureType | FixedMatter;
type FixedMatter = keyof typeof fixedActions;

// The keys of a table are its type's.
export const matters = [...failureTypes, ...(Object.keys(fixedActions) as FixedMatter[])] as const;

export interface Met {
  readonly matter: Matter;
  /** How often it was tried again without the person since they last decided. */
  readonly retries: number;
  /** How often that may still be done. */
  readonly left: number;
}

/** `ask`: the person decides, with the diff of the work if it `showsDiff`. */
export type Response =
  | { readonly do: "retry" }
  | { readonly do: "continue"; readonly isTold: boolean }
  | { readonly do: "ask"; readonly showsDiff: boolean };

/** The one decision about a failure. */
export function respondTo({ matter, retries, left }: Met, overrides: FailureActions): Response {
  const action = isSettable(matter) ? resolveFailureAction(matter, overrides) : fixedActions[matter];
  if (action === "ignore" || action === "warn-continue") return { do: "continue", isTold: action === "warn-continue" };
  const isTriedAgain = action === "auto-retry" || (action === "retry-then-escalate" && retries === 0);
  return isTriedAgain && left > 0 ? { do: "retry" } : { do: "ask", showsDiff: action === "stop-show-diff" };
}

export function isSettable(matter: Matter): matter is FailureType {
  return !(matter in fixedActions);
}
