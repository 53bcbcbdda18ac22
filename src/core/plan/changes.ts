// What a revision changed in a plan, in words for the person who wanted it.

import { oneLine } from "../text/format.ts";
import type { Task } from "./plan.ts";
import { changedTasks, type PlanText } from "./revision.ts";

/** One line per task that is new, gone or different; empty when the text is the same. */
export function planChanges(before: PlanText, after: PlanText): readonly string[] {
  if (before.text === after.text) return [];
  const { tasks } = after.plan;
  const known = new Map(before.plan.tasks.map((task) => [task.id, task]));
  const changed = new Set(changedTasks(before, after));
  const gone = before.plan.tasks.filter(({ id }) => !tasks.some((task) => task.id === id));
  const lines = [
    ...tasks.filter(({ id }) => changed.has(id)).map((task) => taskLine(task, known.get(task.id))),
    ...gone.map(({ id, title }) => `task ${id} is gone: ${title}`),
  ];
  return lines.length === 0 ? ["no task changed, only the text around them"] : lines;
}

function taskLine(now: Task, before: Task | undefined): string {
  if (!before) return `task ${now.id} is new: ${now.title}`;
  const parts = [
    ...(now.title === before.title ? [] : [`title is now "${now.title}"`]),
    ...listChanges("criterion", before.criteria, now.criteria, (text) => `"${oneLine(text, 80)}"`),
    ...listChanges("file", before.files, now.files),
    ...listChanges("requirement", before.covers, now.covers),
    ...listChanges("command", before.commands, now.commands, (text) => `\`${oneLine(text, 60)}\``),
    ...listChanges("dependency on task", before.dependsOn.map(String), now.dependsOn.map(String)),
    ...(now.complexity === before.complexity ? [] : [`${now.complexity} instead of ${before.complexity}`]),
    ...(now.tdd === before.tdd ? [] : [`tests: ${now.tdd} instead of ${before.tdd}`]),
  ];
  return `task ${now.id}: ${parts.length === 0 ? "its text changed" : parts.join("; ")}`;
}

function listChanges(
  what: string,
  before: readonly string[],
  now: readonly string[],
  shown = (text: string): string => text,
): readonly string[] {
  return [
    ...now.filter((text) => !before.includes(text)).map((text) => `+ ${what} ${shown(text)}`),
    ...before.filter((text) => !now.includes(text)).map((text) => `− ${what} ${shown(text)}`),
  ];
}
