// Property tests try the same cases in every run of the suite: a red build is then about the change, not about the day.
// SUPERTEAM_SEED=<number> tries the cases of another seed, SUPERTEAM_SEED=random those of a new one each time.

import fc from "fast-check";

const chosen = process.env["SUPERTEAM_SEED"] ?? "1";
if (chosen !== "random") fc.configureGlobal({ seed: Number(chosen) });

export default fc;
