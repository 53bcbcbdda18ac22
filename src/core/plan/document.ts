// Reads a plan back from its document: the text under each heading, and the block of tasks, found in the syntax tree, parsed as
// YAML and held against each other. Every problem is listed at once; nothing is dropped.

import { headerProblems } from "./header.ts";
import type { Plan, Task } from "./plan.ts";
import { type HeadedTask, headedTasks, planBlock } from "./sections.ts";
import { readEntries, type TaskEntry } from "./task-entry.ts";
import { readTaskYaml } from "./task-yaml.ts";

export type PlanReading =
  | {
      readonly ok: true;
      readonly plan: Plan;
      readonly blocks: number;
      /** Where a text was quoted so that YAML reads it as it is written. */
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A new plan counts its tasks. One that is revised keeps its ids, so that they mean the same in every review. */
export type Numbering = "counted" | "kept";

/**
 * `requirements` are the ids of those the plan is for: each must be covered by some task, and no other; null for a plan
 * that stands by itself. `first` is the number of its first task: those below are of earlier plans of the same run.
 */
export function readPlan(
  document: string,
  requirements: readonly string[] | null,
  numbering: Numbering = "counted",
  first = 1,
): PlanReading {
  const header = headerProblems(document);
  const reading = planBlock(document);
  if (!reading.ok) return { ok: false, problems: [...header, reading.problem, ...withoutHeadings(document)] };
  const { text, count, next } = reading.block;
  const cut = next.trim() === "" ? [] : [cutShort(next)];
  const parsed = readTaskYaml(text);
  if ("problems" in parsed)
    return { ok: false, problems: [...cut, ...parsed.problems, ...header, ...withoutHeadings(document)] };
  const listed = readEntries(parsed.value);
  if (!listed.ok) return { ok: false, problems: [...cut, ...listed.problems, ...header, ...withoutHeadings(document)] };
  const headed = headedTasks(document, listed.entries);
  const tasks = described(numbering === "counted" ? sorted(listed.entries, headed, first) : listed.entries, headed);
  const problems = [
    ...cut,
    ...misnumbered(tasks, numbering, first),
    ...header,
    ...unheaded(tasks, headed),
    ...undescribed(tasks),
    ...unprovable(tasks),
    ...misordered(tasks, first),
    ...(requirements === null ? [] : uncovered(tasks, requirements)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, plan: { tasks: [...tasks] }, blocks: count, repairs: parsed.repairs };
}

/** Told with whatever else keeps the block from being read. */
function withoutHeadings(document: string): readonly string[] {
  return headedTasks(document, []).length === 0 ? [noHeading] : [];
}

/** In the order of the headings, where that is the order of their numbers and each task comes after what it needs. */
function sorted(entries: readonly TaskEntry[], headed: readonly HeadedTask[], first: number): readonly TaskEntry[] {
  const counted = entries.toSorted((one, other) => one.id - other.id);
  const order = [...new Set(headed.map(({ id }) => id))];
  if (order.some((id, index) => id !== counted[index]?.id)) return entries;
  const isPlan = counted.every(({ id, dependsOn }, index) => id === first + index && dependsOn.every((on) => on < id));
  return isPlan ? counted : entries;
}

/** What stands under its heading is the description of a task. What the block says beyond that is not lost. */
function described(entries: readonly TaskEntry[], headed: readonly HeadedTask[]): readonly Task[] {
  return entries.map(({ id, title, description: said = "", ...entry }) => {
    const under = headed.filter((heading) => heading.id === id && heading.text !== "").map(({ text }) => text);
    const texts = under.some((text) => text.includes(said)) ? under : [said, ...under];
    return { id, title, description: texts.join("\n\n"), ...entry };
  });
}

function cutShort(next: string): string {
  return `the tasks block ends right before "${next.trim().slice(0, 60)}": a fence inside it closed it. Open and close it with four backticks, and leave a blank line after it.`;
}

function misnumbered(tasks: readonly Task[], numbering: Numbering, first: number): readonly string[] {
  const ids = tasks.map((task) => task.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) return [`task ids are given twice: ${[...new Set(twice)].join(", ")}.`];
  const taken = ids.filter((id) => id < first);
  if (numbering === "kept" && taken.length === 0) return [];
  if (numbering === "kept") return [`task ids must be ${first} or more, not ${taken.join(", ")}: those are taken.`];
  if (ids.every((id, index) => id === first + index)) return [];
  return [`task ids must be ${first} to ${first + ids.length - 1} in order, not ${ids.join(", ")}.`];
}

const noHeading = "the plan has no heading `### Task N: title`: each task needs one, with what to do below it.";

/** Compares the headings with the block: a task is never lost silently. */
function unheaded(tasks: readonly Task[], headed: readonly HeadedTask[]): readonly string[] {
  if (headed.length === 0) return [noHeading];
  const ids = tasks.map((task) => task.id);
  const lost = headed.filter(({ id }) => !ids.includes(id));
  const extra = ids.filter((id) => !headed.some((heading) => heading.id === id));
  const swapped = headed.flatMap((heading) => swappedWith(heading, tasks));
  const differing = headed.filter(({ id, title }) => headed.some((other) => other.id === id && other.title !== title));
  const twice = [...new Set(differing.map(({ id }) => id))];
  return [
    ...lost.map(({ id }) => `there is a heading "Task ${id}", but no task ${id} in the block.`),
    ...extra.map((id) => `task ${id} is in the block, but there is no heading "Task ${id}".`),
    ...swapped,
    ...(twice.length === 0 ? [] : [`headings with different titles name the same task: ${twice.join(", ")}.`]),
  ];
}

/** A heading with the title of another task: one of them has the wrong number, and its text would go to the wrong task. */
function swappedWith({ id, title }: HeadedTask, tasks: readonly Task[]): readonly string[] {
  const plain = (words: string): string =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const named = tasks.filter((task) => plain(task.title) === plain(title));
  if (named.length === 0 || named.some((task) => task.id === id)) return [];
  return named.map((task) => `the heading "Task ${id}" has the title of task ${task.id} in the block.`);
}

function undescribed(tasks: readonly Task[]): readonly string[] {
  return tasks
    .filter(({ description }) => description === "")
    .map(({ id }) => `task ${id} has no text under its heading: say there all that an implementer must know.`);
}

/** A task with something to test says what must hold, and what shows that it does. */
function unprovable(tasks: readonly Task[]): readonly string[] {
  const tested = tasks.filter((task) => task.tdd !== "none");
  return (["criteria", "commands"] as const).flatMap((field) =>
    tested
      .filter((task) => task[field].length === 0)
      .map(
        ({ id }) => `task ${id} has no ${field}: give at least one, or say \`tdd: none\` if there is nothing to test.`,
      ),
  );
}

/** Dependencies point back in the list, or to an earlier plan, so that they can form no cycle. */
function misordered(tasks: readonly Task[], first: number): readonly string[] {
  const places = new Map(tasks.map((task, index) => [task.id, index]));
  return tasks.flatMap((task, index) =>
    task.dependsOn.flatMap((id) => {
      const place = places.get(id);
      if (id >= 1 && id < first) return [];
      if (place === undefined) return [`task ${task.id} depends on task ${id}, which does not exist.`];
      if (place < index) return [];
      return [`task ${task.id} depends on task ${id}, which does not come before it: a cycle or the wrong order.`];
    }),
  );
}

function uncovered(tasks: readonly Task[], requirements: readonly string[]): readonly string[] {
  const covered = new Set(tasks.flatMap((task) => task.covers));
  const unknown = [...covered].filter((id) => !requirements.includes(id));
  const missing = requirements.filter((id) => !covered.has(id));
  return [
    ...unknown.map((id) => `"covers" names ${id}, which is not a requirement of this plan.`),
    ...missing.map((id) => `requirement ${id} is covered by no task.`),
  ];
}
