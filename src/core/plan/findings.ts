// Which tasks of a plan a finding is about. Code reads it from the anchor and from the words; that is what a revision
// may touch.

import type { Finding } from "../review/review.ts";
import type { Leave, PlanText } from "./diff.ts";
import { type Task, taskId } from "./plan.ts";
import { tasksQuoted } from "./sections.ts";

export interface PlanFile extends PlanText {
  readonly path: string;
}

/** The leave that findings, and the person's own words if there are any, give a revision. */
export function leaveFor(findings: readonly Finding[], guidance: string, file: PlanFile): Leave {
  const named = findings.flatMap((finding) => namedTasks(finding, file));
  if (guidance.trim() === "") return { tasks: distinct(named), mayAdd: findings.some(asksForTask) };
  const wanted = mentioned(guidance);
  // A person who names no task speaks of the whole plan.
  return { tasks: wanted.length === 0 ? "all" : distinct([...named, ...wanted]), mayAdd: true };
}

/** What the anchor points at, and every task, requirement or title that the words speak of. */
export function namedTasks(finding: Finding, file: PlanFile): readonly number[] {
  const words = `${finding.what}\n${finding.fix ?? ""}`;
  const numbers = mentioned(words);
  const named = file.plan.tasks.filter((task) => numbers.includes(task.id) || isSpokenOf(task, words));
  return distinct([...anchored(finding, file), ...idsOf(named)]);
}

function anchored({ anchor }: Finding, { path, text, plan }: PlanFile): readonly number[] {
  if (!anchor) return [];
  if (!("file" in anchor)) {
    const { requirement } = anchor;
    return idsOf(plan.tasks.filter((task) => taskId(task.id) === requirement || task.covers.includes(requirement)));
  }
  const { file, quote } = anchor;
  if (file === path) return tasksQuoted(text, quote);
  return idsOf(plan.tasks.filter((task) => task.files.includes(file) || isSpokenOf(task, quote)));
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
const idsOf = (tasks: readonly Task[]): readonly number[] => tasks.map((task) => task.id);
