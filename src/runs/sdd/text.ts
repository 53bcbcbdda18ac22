// A plan of the person's own, and how far its tasks are, in words.

import { count, oneLine, shortSha, usd } from "../../core/text/format.ts";
import type { KnownPlan, KnownTask, TaskState } from "./past.ts";

export function planLines({ path, tasks, troubles }: KnownPlan): readonly string[] {
  const done = tasks.filter(({ state }) => state.is === "done").length;
  const spent = tasks.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return [
    `Plan ${path}: ${done} of ${count(tasks.length, "task")} done, ${usd(spent)} spent`,
    ...tasks.map((known) => taskLine(known, tasks)),
    ...troubles,
    nextLine(tasks),
  ];
}

/** Those that a task builds on and that no run has done. */
export function gapsBefore({ task }: KnownTask, tasks: readonly KnownTask[]): readonly number[] {
  return task.dependsOn.filter((id) => tasks.find((other) => other.task.id === id)?.state.is !== "done");
}

/** The one that is at work, else the first that is left; undefined when all are done or skipped. */
export function nextTask(tasks: readonly KnownTask[]): KnownTask | undefined {
  return tasks.find(({ state }) => state.is === "active") ?? tasks.find(({ state }) => state.is === "open");
}

/** What there is to say when no task is left. */
export function nothingLeft(tasks: readonly KnownTask[]): string {
  const skipped = tasks.filter(({ state }) => state.is === "skipped").map(({ task }) => task.id);
  const rest = skipped.length === 0 ? "All tasks are done." : `Only skipped tasks are left: ${skipped.join(", ")}.`;
  return `${rest} /sdd run <task> runs one again.`;
}

const marks = { done: "✓", active: "▸", skipped: "–", open: "○" } as const;

function taskLine(known: KnownTask, tasks: readonly KnownTask[]): string {
  const { task, state, costUsd } = known;
  const gaps = state.is === "open" ? gapsBefore(known, tasks) : [];
  const parts = [
    stateText(state),
    costUsd > 0 ? usd(costUsd) : "",
    gaps.length === 0 ? "" : `builds on ${gaps.join(", ")}`,
  ].filter((part) => part !== "");
  const details = parts.length === 0 ? "" : ` — ${parts.join(", ")}`;
  return `  ${marks[state.is]} ${task.id}. ${oneLine(task.title, 100)}${details}`;
}

function stateText(state: TaskState): string {
  switch (state.is) {
    case "done":
      return state.commit === null ? "done without a change" : `done, ${shortSha(state.commit)}`;
    case "active":
      return `active${state.status === "pending" ? "" : `, ${state.status}`}`;
    case "skipped":
      return "skipped";
    case "open":
      return state.lost === null ? "" : `open: its commit ${shortSha(state.lost)} is not in the checked-out history`;
  }
}

function nextLine(tasks: readonly KnownTask[]): string {
  const next = nextTask(tasks);
  if (next === undefined) return nothingLeft(tasks);
  if (next.state.is === "active") return `Task ${next.task.id} is the active run: /workflow continues it.`;
  return `Next is task ${next.task.id}: /sdd run`;
}
