// Where a task stands, as people are told of it.

import type { RunView, TaskView } from "./shape.ts";

/** `3/7`: the third of seven. A run of one task out of a plan that was loaded has its number there: `3`. */
export function placeOf(view: RunView, { number }: TaskView): string {
  return isOutOfPlan(view) ? `${number}` : `${number}/${view.tasks.size}`;
}

/** A plan that nobody wrote in this run was there before it. */
export function isOutOfPlan({ planPath, plansWritten }: RunView): boolean {
  return planPath !== null && plansWritten === 0;
}

export function completedTasks({ tasks }: RunView): number {
  return [...tasks.values()].filter(({ status }) => status === "complete").length;
}
