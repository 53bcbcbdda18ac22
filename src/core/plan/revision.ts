// A targeted revision of a plan is held to what it was for. Code reads from the findings which tasks they are about: no
// other may change or vanish, ids keep their meaning, and a new task comes only where one was asked for.

import { z } from "zod";
import type { Finding } from "../review/review.ts";
import { Plan, type Task, taskId } from "./plan.ts";
import { headerOf, taskSections, tasksQuoted } from "./sections.ts";

/** A plan as it stands in its document. */
export const PlanText = z.object({ text: z.string(), plan: Plan });
export type PlanText = z.infer<typeof PlanText>;

/** What a revision may touch. */
export interface Leave {
  readonly tasks: "all" | readonly number[];
  readonly mayAdd: boolean;
}

type PlanFile = PlanText & { readonly path: string };

/** The leave that findings, and the person's own words if there are any, give a revision. */
export function leaveFor(findings: readonly Finding[], guidance: string, file: PlanFile): Leave {
  const named = findings.flatMap((finding) => namedTasks(finding, file));
  if (guidance.trim() === "") {
    const isUnclear = findings.some((finding) => isAboutNoTask(finding, file));
    return { tasks: isUnclear ? "all" : distinct(named), mayAdd: findings.some(asksForTask) };
  }
  const wanted = mentioned(guidance);
  // A person who names no task speaks of the whole plan.
  return { tasks: wanted.length === 0 ? "all" : distinct([...named, ...wanted]), mayAdd: true };
}

/** What the anchor points at, and every task, requirement or title that the words speak of. */
function namedTasks(finding: Finding, file: PlanFile): readonly number[] {
  const words = `${finding.what}\n${finding.fix ?? ""}`;
  const numbers = mentioned(words);
  const named = file.plan.tasks.filter((task) => numbers.includes(task.id) || isSpokenOf(task, words));
  return [...anchored(finding, file), ...idsIn(named)];
}

/** Not even the header, or a task that is missing: the planner has to find the place itself. */
function isAboutNoTask(finding: Finding, file: PlanFile): boolean {
  if (asksForTask(finding) || namedTasks(finding, file).length > 0) return false;
  const { anchor } = finding;
  const isHeader = anchor !== undefined && "file" in anchor && headerOf(file.text).includes(anchor.quote.trim());
  return !isHeader;
}

function anchored({ anchor }: Finding, { path, text, plan }: PlanFile): readonly number[] {
  if (!anchor) return [];
  if (!("file" in anchor)) {
    const { requirement } = anchor;
    return idsIn(plan.tasks.filter((task) => taskId(task.id) === requirement || task.covers.includes(requirement)));
  }
  const { file, quote } = anchor;
  if (file === path) return tasksQuoted(text, quote);
  return idsIn(plan.tasks.filter((task) => task.files.includes(file) || isSpokenOf(task, quote)));
}

function isSpokenOf({ title, covers }: Task, words: string): boolean {
  const requirements: readonly string[] = words.match(/\bR\d+\b/g) ?? [];
  return words.includes(title) || covers.some((id) => requirements.includes(id));
}

/** Something is missing, or the finding says in words that a task is to be added or split. */
function asksForTask({ rule, what, fix }: Finding): boolean {
  return rule === "missing" || /\b(split|(new|another|separate) task|add a task)\b/i.test(`${what}\n${fix ?? ""}`);
}

/** "task 2", "tasks 2, 3 and 5", "tasks 2 to 4", "T2". */
function mentioned(text: string): readonly number[] {
  const lists = [...text.matchAll(/\btasks?\s+(\d+(?:\s*(?:,|and|&|to|-|–)\s*\d+)*)/gi)].map((match) => match[1] ?? "");
  const short = [...text.matchAll(/\bT(\d+)\b/g)].map((match) => Number(match[1]));
  return [...lists.flatMap(numbersIn), ...short];
}

function numbersIn(list: string): readonly number[] {
  return list.split(/\s*(?:,|and|&)\s*/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/\s*(?:to|-|–)\s*/).map(Number);
    return Array.from({ length: Math.min(Math.max(last - first, 0), 100) + 1 }, (_, index) => first + index);
  });
}

const distinct = (ids: readonly number[]): readonly number[] => [...new Set(ids)].sort((one, other) => one - other);

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

const idsOf = ({ plan }: PlanText): readonly number[] => idsIn(plan.tasks);
const idsIn = (tasks: readonly Task[]): readonly number[] => tasks.map((task) => task.id);
