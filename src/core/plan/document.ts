// Reads a plan back from its document: the tasks block found in the syntax tree, parsed as YAML, checked against the
// schema and against the rest of the document. Every problem is listed at once; nothing is dropped.

import { parseDocument } from "yaml";
import { z } from "zod";
import { lastBlock } from "../text/block.ts";
import { headerProblems } from "./header.ts";
import { Plan, type Task } from "./plan.ts";
import { headingNumbers, planTags } from "./sections.ts";

export type PlanReading =
  | { readonly ok: true; readonly plan: Plan; readonly blocks: number }
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
  const reading = lastBlock(document, planTags);
  if (!reading.ok) return { ok: false, problems: [reading.problem] };
  const { text, count, next } = reading.block;
  const cut = next.trim() === "" ? [] : [cutShort(next)];
  const parsed = readYaml(text);
  if ("problems" in parsed) return { ok: false, problems: [...cut, ...parsed.problems] };
  const checked = Plan.safeParse(Array.isArray(parsed.value) ? { tasks: parsed.value } : parsed.value);
  if (!checked.success) return { ok: false, problems: [...cut, z.prettifyError(checked.error)] };
  const { tasks } = checked.data;
  const problems = [
    ...cut,
    ...misnumbered(tasks, numbering, first),
    ...headerProblems(document),
    ...unheaded(tasks, document),
    ...unprovable(tasks),
    ...misordered(tasks, first),
    ...(requirements === null ? [] : uncovered(tasks, requirements)),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, plan: checked.data, blocks: count };
}

function cutShort(next: string): string {
  return `the tasks block ends right before "${next.trim().slice(0, 60)}": a fence inside it closed it. Open and close it with four backticks, and leave a blank line after it.`;
}

function readYaml(text: string): { readonly value: unknown } | { readonly problems: readonly string[] } {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  const troubles = [...document.errors, ...document.warnings];
  if (troubles.length > 0)
    return { problems: troubles.map(({ message }) => `the tasks block is not valid YAML: ${message}`) };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { problems: [`the tasks block cannot be read: ${error instanceof Error ? error.message : error}`] };
  }
}

function misnumbered(tasks: readonly Task[], numbering: Numbering, first: number): readonly string[] {
  const ids = tasks.map((task) => task.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) return [`task ids are there twice: ${[...new Set(twice)].join(", ")}.`];
  const taken = ids.filter((id) => id < first);
  if (numbering === "kept" && taken.length === 0) return [];
  if (numbering === "kept") return [`task ids must be ${first} or more, not ${taken.join(", ")}: those are taken.`];
  if (ids.every((id, index) => id === first + index)) return [];
  return [`task ids must be ${first} to ${first + ids.length - 1} in order, not ${ids.join(", ")}.`];
}

/** Compares the headings with the block: a task is never lost silently. */
function unheaded(tasks: readonly Task[], document: string): readonly string[] {
  const headed = headingNumbers(document);
  if (headed.length === 0) return ["the plan has no heading `### Task N: title`: each task needs one, with its steps."];
  const ids = tasks.map((task) => task.id);
  const lost = headed.filter((id) => !ids.includes(id));
  const extra = ids.filter((id) => !headed.includes(id));
  return [
    ...lost.map((id) => `there is a heading "Task ${id}", but no task ${id} in the block.`),
    ...extra.map((id) => `task ${id} is in the block, but there is no heading "Task ${id}".`),
    ...(headed.length === new Set(headed).size ? [] : [`headings name the same task twice: ${headed.join(", ")}.`]),
  ];
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
    ...unknown.map((id) => `"covers" names ${id}, which is no requirement that this plan is for.`),
    ...missing.map((id) => `requirement ${id} is covered by no task.`),
  ];
}
