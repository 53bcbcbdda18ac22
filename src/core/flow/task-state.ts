// The states of a task and the ways between them. Every state that is reported goes through `moved`, so that what a person
// sees of a task can only be one of these stories; any other transition is a bug.

import type { TaskStatus } from "./fact.ts";

/**
 * The straight way is pending, implementing, reviewing, complete; a fix goes from reviewing through fixing back to
 * reviewing. The mechanical check is part of reviewing, so no fix comes straight after implementing.
 * `escalated` means that the person decides. From there a task goes where they send it: implemented again (after a
 * rollback, or when nothing had changed), fixed once more, judged once more as it is, skipped, or accepted as it is.
 */
const next: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ["implementing"],
  implementing: ["reviewing", "escalated", "skipped"],
  reviewing: ["fixing", "complete", "escalated"],
  fixing: ["reviewing", "escalated"],
  escalated: ["implementing", "fixing", "reviewing", "skipped", "complete"],
  complete: [],
  skipped: [],
};

/** The new state; throws when there is no way to it. */
export function moved<T extends TaskStatus>(from: TaskStatus, to: T): T {
  if (!next[from].includes(to)) throw new Error(`a task that is ${from} cannot become ${to}`);
  return to;
}
