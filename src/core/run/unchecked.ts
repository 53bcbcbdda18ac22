// A run in which no command checks the work: this is said wherever a reader could assume otherwise (T1).

/** How to have a check. */
export const checkFix = "To have one, set testCommand in .superteam.json (superteam init writes that file).";

const alone = "so nothing but reviews stands between an agent's work and a commit";

/** Why none does: there is no command, it finds no tests, or the person goes without it. */
export type UncheckedBecause = "none" | "empty" | "waived";

/** Why a task that is complete has no plain check mark: nothing checks it, or the person goes without its tests, or they have yet to run. */
export const doubts = ["not checked", "tests not run", "tests pending"] as const;
export type Doubt = (typeof doubts)[number];

export const uncheckedTexts: Readonly<Record<UncheckedBecause, string>> = {
  none: `Not checked: no test command or check is in use, ${alone}. ${checkFix}`,
  empty: `Not checked: the test command finds no tests, ${alone}. Tests that a task adds are run from then on.`,
  waived: `Not checked: you chose to run without the test command, ${alone}.`,
};
