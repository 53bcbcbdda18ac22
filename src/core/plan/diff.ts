// Holds a targeted revision of a plan to what it was for: a task that no finding names may neither change nor vanish,
// ids keep their meaning, and a new task comes only where one was asked for.

import type { Plan, Task } from "./plan.ts";
import { taskSections } from "./sections.ts";

/** A plan as it stands in its document. */
export interface PlanText {
  readonly text: string;
  readonly plan: Plan;
}

/** What a revision may touch. */
export interface Leave {
  readonly tasks: "all" | readonly number[];
  readonly mayAdd: boolean;
}

/** Where a revision went beyond its leave, in words for the planner; empty when it did not. */
export function overstepped(before: PlanText, after: PlanText, leave: Leave): readonly string[] {
  const added = idsOf(after).filter((id) => !idsOf(before).includes(id));
  return [
    ...unnamed(before, leave).flatMap((id) => problemWith(id, before, after)),
    ...(isReordered(before, after, leave) ? ["tasks that no finding names were put in another order."] : []),
    ...(leave.mayAdd
      ? reused(added, before)
      : added.map((id) => `task ${id} is new, but no finding asks for a new task.`)),
  ];
}

/** The tasks that are new or not what they were. */
export function changedTasks(before: PlanText, after: PlanText): readonly number[] {
  return idsOf(after).filter((id) => contentOf(id, before, after) !== contentOf(id, after, before));
}

function problemWith(id: number, before: PlanText, after: PlanText): readonly string[] {
  if (!idsOf(after).includes(id)) return [`task ${id} is gone, but no finding names it.`];
  if (contentOf(id, before, after) === contentOf(id, after, before)) return [];
  return [`task ${id} was changed, but no finding names it.`];
}

/** All that makes up a task. A dependency on a task that the other version has not got does not count. */
function contentOf(id: number, here: PlanText, there: PlanText): string | undefined {
  const task = here.plan.tasks.find((other) => other.id === id);
  if (!task) return undefined;
  const shared = { ...task, dependsOn: task.dependsOn.filter((other) => idsOf(there).includes(other)) };
  const sections = taskSections(here.text).filter((section) => section.id === id);
  return JSON.stringify([shared satisfies Task, sections]);
}

function isReordered(before: PlanText, after: PlanText, leave: Leave): boolean {
  const fixed = unnamed(before, leave);
  const kept = idsOf(after).filter((id) => fixed.includes(id));
  return kept.some((id, index) => id !== fixed.filter((other) => kept.includes(other))[index]);
}

/** An id that was given once is not given again. */
function reused(added: readonly number[], before: PlanText): readonly string[] {
  const highest = Math.max(...idsOf(before));
  return added
    .filter((id) => id <= highest)
    .map((id) => `the new task ${id} needs an id above ${highest}; where it stands in the list says when it is done.`);
}

function unnamed(before: PlanText, { tasks }: Leave): readonly number[] {
  return tasks === "all" ? [] : idsOf(before).filter((id) => !tasks.includes(id));
}

const idsOf = ({ plan }: PlanText): readonly number[] => plan.tasks.map((task) => task.id);
