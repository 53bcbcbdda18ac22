// How often the suite runs. The quick check runs after each change regardless, and the end of a run always runs the suite.

export const cadences = ["every", "every-N", "on-demand"] as const;

export interface Cadence {
  readonly validationCadence: (typeof cadences)[number];
  readonly validationInterval: number;
}

/** Whether the suite runs for a task, when the tests of so many before it are pending. */
export function isSuiteDue(config: Cadence, pending: number): boolean {
  if (config.validationCadence === "every-N") return pending + 1 >= config.validationInterval;
  return config.validationCadence === "every";
}
