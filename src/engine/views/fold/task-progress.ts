// How far the tasks have come, and what those that are left are expected to cost. It is the only count of them. A task
// that was skipped is settled: it is not done, and nothing of it is left to do.

import { type RemainingCost, remainingCost } from "../../../core/money/remaining.ts";
import { changedFiles } from "./outcomes.ts";
import { currentTask, type RunView, type TaskView, taskSpend } from "./shape.ts";

export interface TaskProgressSummary {
  readonly tasksCompleted: number;
  readonly tasksRemaining: number;
  readonly tasksSkipped: number;
  readonly cumulativeCost: number;
  /** From what the tasks that are complete have cost; null as long as none is. */
  readonly estimatedRemainingCost: RemainingCost | null;
  readonly changedFilesSoFar: readonly string[];
  readonly fixCyclesSoFar: number;
  readonly currentTaskTitle: string | null;
}

export function taskProgress(view: RunView): TaskProgressSummary {
  const { complete, left, skipped } = countTasks(view);
  return {
    tasksCompleted: complete.length,
    tasksRemaining: left.length,
    tasksSkipped: skipped.length,
    cumulativeCost: view.spend.total.costUsd,
    estimatedRemainingCost: costLeft(view),
    changedFilesSoFar: changedFiles(view),
    fixCyclesSoFar: [...view.tasks.values()].reduce((sum, { round }) => sum + round, 0),
    currentTaskTitle: currentTask(view)?.title ?? null,
  };
}

interface TaskCount {
  readonly complete: readonly TaskView[];
  readonly skipped: readonly TaskView[];
  /** All that are not settled. */
  readonly left: readonly TaskView[];
}

export function countTasks({ tasks }: RunView): TaskCount {
  const all = [...tasks.values()];
  return {
    complete: all.filter(({ status }) => status === "complete"),
    skipped: all.filter(({ status }) => status === "skipped"),
    left: all.filter((task) => !isSettled(task)),
  };
}

/** Null as long as no task is complete. */
export function costLeft(view: RunView): RemainingCost | null {
  const { complete, left } = countTasks(view);
  const paid = complete.map(({ id, complexity }) => ({ complexity, costUsd: taskSpend(view, id).costUsd }));
  return remainingCost(paid, left);
}

export function isSettled({ status }: TaskView): boolean {
  return status === "complete" || status === "skipped";
}

/** `3/7`: the third of seven. A run of one task out of a plan that was loaded has its number there: `3`. */
export function placeOf(view: RunView, { number }: TaskView): string {
  return isOutOfPlan(view) ? `${number}` : `${number}/${view.tasks.size}`;
}

/** A plan that nobody wrote in this run was there before it. */
export function isOutOfPlan({ planPath, plansWritten }: RunView): boolean {
  return planPath !== null && plansWritten === 0;
}
