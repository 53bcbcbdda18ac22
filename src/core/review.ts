/** What code made of a review's findings. */
export type Verdict = "approved" | "needs_revision" | "inconclusive";
