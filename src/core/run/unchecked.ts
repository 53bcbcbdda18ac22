// A run in which no command checks the work: said wherever somebody could think that one does (T1).

/** How to have a check, in one line. */
export const checkFix = `echo '{ "testCommand": "npm test" }' > .superteam.json`;

const alone = "so nothing but reviews stands between an agent's work and a commit";

export const uncheckedText = `Not checked: no test command or check is in use, ${alone}. Set your own command: ${checkFix}`;

export const emptyText = `Not checked: the test command finds no tests, ${alone}. Tests that a task adds are run from then on.`;

export const waivedText = `Not checked: you go without the test command, ${alone}.`;
