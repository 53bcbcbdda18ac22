// Reads a plan back from its document: the tasks block found in the syntax tree, parsed as YAML, checked against the
// schema and against the rest of the document. Whatever is wrong is listed, all of it; nothing is dropped.

import { fromMarkdown } from "mdast-util-from-markdown";
import { parseDocument } from "yaml";
import { z } from "zod";
import { lastBlock } from "./block.ts";
import { Plan, type Task } from "./plan.ts";

export const planTags = ["superteam-tasks", "superteam-plan"] as const;

export type PlanReading =
  | { readonly ok: true; readonly plan: Plan; readonly blocks: number }
  | { readonly ok: false; readonly problems: readonly string[] };

/** `requirements` are the ids of the design's requirements: each must be covered by some task. */
export function readPlan(document: string, requirements: readonly string[]): PlanReading {
  const reading = lastBlock(document, planTags);
  if (!reading.ok) return { ok: false, problems: [reading.problem] };
  const { text, count, next } = reading.block;
  const cut = next.trim() === "" ? [] : [cutShort(next)];
  const parsed = readYaml(text);
  if (!parsed.ok) return { ok: false, problems: [...cut, ...parsed.problems] };
  const checked = Plan.safeParse(Array.isArray(parsed.value) ? { tasks: parsed.value } : parsed.value);
  if (!checked.success) return { ok: false, problems: [...cut, z.prettifyError(checked.error)] };
  const { tasks } = checked.data;
  const problems = [
    ...cut,
    ...misnumbered(tasks),
    ...unheaded(tasks, document),
    ...misordered(tasks),
    ...uncovered(tasks, requirements),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, plan: checked.data, blocks: count };
}

function cutShort(next: string): string {
  return `the tasks block ends right before "${next.trim().slice(0, 60)}": a fence inside it closed it. Open and close it with four backticks, and leave a blank line after it.`;
}

type Yaml =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] };

function readYaml(text: string): Yaml {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  const troubles = [...document.errors, ...document.warnings];
  if (troubles.length > 0) {
    return { ok: false, problems: troubles.map((trouble) => `the tasks block is not valid YAML: ${trouble.message}`) };
  }
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return {
      ok: false,
      problems: [`the tasks block cannot be read: ${error instanceof Error ? error.message : error}`],
    };
  }
}

function misnumbered(tasks: readonly Task[]): readonly string[] {
  const ids = tasks.map((task) => task.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) return [`task ids are there twice: ${[...new Set(twice)].join(", ")}.`];
  if (ids.every((id, index) => id === index + 1)) return [];
  return [`task ids must be 1 to ${ids.length} in order, not ${ids.join(", ")}.`];
}

/** A plan that describes its tasks under headings must have as many in its block: one that is lost is lost silently. */
function unheaded(tasks: readonly Task[], document: string): readonly string[] {
  const headed = headings(document);
  if (headed.length === 0) return [];
  const ids = tasks.map((task) => task.id);
  const lost = headed.filter((id) => !ids.includes(id));
  const extra = ids.filter((id) => !headed.includes(id));
  return [
    ...lost.map((id) => `there is a heading "Task ${id}", but no task ${id} in the block.`),
    ...extra.map((id) => `task ${id} is in the block, but there is no heading "Task ${id}".`),
    ...(headed.length === new Set(headed).size ? [] : [`headings name the same task twice: ${headed.join(", ")}.`]),
  ];
}

function headings(document: string): readonly number[] {
  return fromMarkdown(document).children.flatMap((node) => {
    if (node.type !== "heading" || node.depth !== 3) return [];
    const [first] = node.children;
    const number = first?.type === "text" ? /^Task (\d+)\b/i.exec(first.value)?.[1] : undefined;
    return number === undefined ? [] : [Number(number)];
  });
}

/** Dependencies point back, so that they can form no cycle. */
function misordered(tasks: readonly Task[]): readonly string[] {
  const ids = new Set(tasks.map((task) => task.id));
  return tasks.flatMap((task) =>
    task.dependsOn.flatMap((id) => {
      if (!ids.has(id)) return [`task ${task.id} depends on task ${id}, which does not exist.`];
      if (id < task.id) return [];
      return [`task ${task.id} depends on task ${id}, which does not come before it: a cycle or the wrong order.`];
    }),
  );
}

function uncovered(tasks: readonly Task[], requirements: readonly string[]): readonly string[] {
  const covered = new Set(tasks.flatMap((task) => task.covers));
  const unknown = [...covered].filter((id) => !requirements.includes(id));
  const missing = requirements.filter((id) => !covered.has(id));
  return [
    ...unknown.map((id) => `"covers" names ${id}, which is no requirement of the design.`),
    ...missing.map((id) => `requirement ${id} is covered by no task.`),
  ];
}
