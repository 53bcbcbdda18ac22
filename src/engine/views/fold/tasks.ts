// The tasks of a run: which are at work, how far they have come, and what those that are left are expected to cost. This
// is the only count of them. A task that was skipped is settled: it is not done, and nothing of it is left to do.

import type { TaskLine } from "../../../core/flow/fact.ts";
import { type RemainingCost, remainingCost } from "../../../core/money/forecast-range.ts";
import { nothingSpent, type Spend } from "./ledger.ts";
import { changedFiles } from "./outcomes.ts";
import type { RunView, TaskView } from "./shape.ts";

export function taskProgress(view: RunView) {
  const { complete, left, skipped } = countTasks(view);
  const titles = currentTasks(view).map(({ title }) => title);
  return {
    tasksCompleted: complete.length,
    tasksRemaining: left.length,
    tasksSkipped: skipped.length,
    cumulativeCost: view.spend.total.costUsd,
    // From what the tasks that are complete have cost; null as long as none is.
    estimatedRemainingCost: costLeft(view),
    changedFilesSoFar: changedFiles(view),
    fixCyclesSoFar: [...view.tasks.values()].reduce((sum, { round }) => sum + round, 0),
    // Of several at work all of them.
    currentTaskTitle: titles.join(", ") || null,
  };
}

export function countTasks({ tasks }: RunView) {
  const all = [...tasks.values()];
  return {
    complete: all.filter(({ status }) => status === "complete"),
    skipped: all.filter(({ status }) => status === "skipped"),
    // All that are not settled.
    left: all.filter((task) => !isSettled(task)),
  };
}

/**
 * Complete tasks whose commits are not under HEAD any more: somebody moved HEAD to before them, or to another branch, and the run
 * continued from there.
 */
export const goneTasks = (view: RunView): readonly TaskView[] =>
  countTasks(view).complete.filter(({ commit }) => isGone(view, commit));

export const isGone = ({ left }: RunView, commit: string | null): commit is string =>
  commit !== null && left.has(commit);

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

/** A plan not written in this run existed before it. */
export function isOutOfPlan({ planPath, plansWritten }: RunView): boolean {
  return planPath !== null && plansWritten === 0;
}

export function taskSpend(view: RunView, task: string): Spend {
  return view.spend.tasks.get(task) ?? nothingSpent;
}

/** Those at work, in the order of the plan; between two tasks the one that was settled last. */
export function currentTasks({ tasks, tasksAtWork }: RunView): readonly TaskView[] {
  return [...tasks.values()].filter(({ id }) => tasksAtWork.has(id));
}

/** The one of them that moved last. */
export function lastMoved({ tasks, tasksAtWork }: RunView): TaskView | undefined {
  return tasks.get([...tasksAtWork].at(-1) ?? "");
}

/** This task moves. Those that are settled by now, or were reset, are no longer at work. */
export function moveOn({ tasks, tasksAtWork }: RunView, id: string): void {
  for (const other of tasksAtWork) {
    const task = tasks.get(other);
    const waits = task?.status === "pending" && task.startedAt === null;
    if (other === id || !task || isSettled(task) || waits) tasksAtWork.delete(other);
  }
  tasksAtWork.add(id);
}

/** A task as a plan names it; one that has been started keeps what it came to. */
export function plannedTask(view: RunView, line: TaskLine, number: number): TaskView {
  const { id, title, complexity = "medium", covers = [] } = line;
  const known = view.tasks.get(id);
  if (known && known.startedAt !== null) return Object.assign(known, { number, title, complexity, covers });
  return { id, number, title, complexity, covers, ...notStarted, where: null, reviews: new Map() };
}

const notStarted = {
  said: "",
  concerns: [],
  disputed: [],
  status: "pending",
  round: 0,
  commit: null,
  testsPending: false,
  escalated: false,
  startedAt: null,
  settledAt: null,
} as const;

/** It starts again: what it came to is void. */
export function resetTask(task: TaskView): void {
  Object.assign(task, notStarted);
  task.reviews.clear();
}
