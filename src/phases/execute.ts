// Takes each task of the plan, in order, to its end.

import type { Requirement } from "../core/brainstorm.ts";
import { child, type Flow } from "../core/flow.ts";
import type { Plan, Task } from "../core/plan.ts";
import type { Settled } from "../core/report.ts";
import { warn } from "./consult.ts";
import type { TaskInput } from "./task-job.ts";

export interface Work {
  readonly goal: string;
  readonly plan: Plan;
  readonly requirements: readonly Requirement[];
}

export function* execute(work: Work): Flow<Settled[]> {
  const settled: Settled[] = [];
  for (const task of work.plan.tasks) {
    yield* warnOfGaps(task, settled);
    const input = inputFor(work, task, settled);
    settled.push(yield* child<Settled>({ flow: "settle-task", name: `task-${task.id}`, input }));
  }
  return settled;
}

function* warnOfGaps(task: Task, settled: readonly Settled[]): Flow<void> {
  const gaps = settled.filter(({ task: id, status }) => status === "skipped" && task.dependsOn.includes(id));
  for (const gap of gaps) yield* warn(`Task ${task.id} builds on task ${gap.task}, which was skipped.`);
}

/** All a task needs to know, as JSON: another machine could run it. */
function inputFor({ goal, plan, requirements }: Work, task: Task, settled: readonly Settled[]): TaskInput {
  return {
    task,
    total: plan.tasks.length,
    goal,
    requirements: requirements.filter((requirement) => task.covers.includes(requirement.id)),
    earlier: settled.slice(-5).map(({ task: id, title, status, files }) => ({ id, title, status, files })),
  };
}
