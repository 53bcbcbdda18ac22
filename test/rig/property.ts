// Property tests try the same cases in every run of the suite: a red build is then about the change, not about the day.
// SUPERTEAM_SEED=<number> tries the cases of another seed, SUPERTEAM_SEED=random those of a new one each time.
// SUPERTEAM_CASES=<number> tries so many times as many: npm run test:slow does.

import fc from "fast-check";

const chosen = process.env["SUPERTEAM_SEED"] ?? "1";
const factor = Number(process.env["SUPERTEAM_CASES"] ?? 1);

export const isLongForm = factor > 1;

/** How many cases to try, where a test says that itself. */
export const times = (count: number): number => count * factor;

fc.configureGlobal({ numRuns: times(50), ...(chosen === "random" ? {} : { seed: Number(chosen) }) });

export default fc;
