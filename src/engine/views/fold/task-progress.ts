// How far the tasks have come, and what those that are left are expected to cost.

import { type RemainingCost, remainingCost } from "../../../core/money/remaining.ts";
import { changedFiles } from "./commits.ts";
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
  const tasks = [...view.tasks.values()];
  const complete = tasks.filter(({ status }) => status === "complete");
  const remaining = tasks.filter((task) => !isSettled(task));
  const paid = complete.map(({ id, complexity }) => ({ complexity, costUsd: taskSpend(view, id).costUsd }));
  return {
    tasksCompleted: complete.length,
    tasksRemaining: remaining.length,
    tasksSkipped: tasks.length - complete.length - remaining.length,
    cumulativeCost: view.spend.total.costUsd,
    estimatedRemainingCost: remainingCost(paid, remaining),
    changedFilesSoFar: changedFiles(view),
    fixCyclesSoFar: tasks.reduce((sum, { round }) => sum + round, 0),
    currentTaskTitle: currentTask(view)?.title ?? null,
  };
}

export function isSettled({ status }: TaskView): boolean {
  return status === "complete" || status === "skipped";
}
