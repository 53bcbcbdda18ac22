// A run in which no command checks the work: said wherever somebody could think that one does (T1).

/** How to have a check, in one line. */
export const checkFix = `echo '{ "testCommand": "npm test" }' > .superteam.json`;

export const uncheckedText = `Not checked: no test command or check is in use, so nothing but reviews stands between an agent's work and a commit. Set your own command: ${checkFix}`;
