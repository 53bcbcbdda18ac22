// How much process a run has, from the least to the most.

export const modes = ["hotfix", "quick", "standard", "full"] as const;
export type Mode = (typeof modes)[number];
