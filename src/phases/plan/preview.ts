// A plan as the person approves it: each task with its files, criteria, requirements and cost, which task meets which
// requirement, what reviewers said, and what it is expected to cost. Laid out for 80 columns.

import type { Requirement } from "../../core/plan/brainstorm.ts";
import type { Task } from "../../core/plan/plan.ts";
import type { Verdict } from "../../core/review/review.ts";
import type { PlanRemarks } from "../../core/run/report.ts";
import { count, oneLine, usd } from "../../core/text/format.ts";
import { truncate, widthOf } from "../../core/text/width.ts";

export interface PlanPreview {
  readonly tasks: readonly Task[];
  readonly requirements: readonly Requirement[];
  readonly verdicts: readonly PlanVerdict[];
  /** Whether those verdicts are about this very text. */
  readonly isReviewed: boolean;
  readonly remarks: PlanRemarks;
  /** What each task is expected to cost, by id; null where nobody can say. */
  readonly costs: ReadonlyMap<number, number | null>;
  readonly forecast: readonly string[];
}

/** What a reviewer of the plan said last. */
export interface PlanVerdict {
  readonly role: string;
  readonly verdict: Verdict;
}

/** The columns of a terminal of 80, without the bar beside a question. */
const columns = 76;

export function previewLines(preview: PlanPreview): readonly string[] {
  const { tasks, forecast } = preview;
  const most = tasks.length <= 6 ? 5 : 2;
  return [
    headline(preview),
    "",
    ...tasks.flatMap((task) => taskLines(task, preview.costs.get(task.id) ?? null, most)),
    ...coverageLines(preview),
    ...remarkLines(preview.remarks),
    "",
    ...forecast,
  ];
}

/** `3 tasks · R1 to R5 all covered · architect ✓ spec-reviewer ✓ · 1 remark` */
function headline({ tasks, requirements, verdicts, isReviewed, remarks }: PlanPreview): string {
  const open = remarks.waivers.length + remarks.deferred.length;
  const marks = verdicts.map(({ role, verdict }) => `${role} ${verdict === "approved" ? "✓" : "✗"}`);
  const uncovered = requirements.filter(({ id }) => !tasks.some(({ covers }) => covers.includes(id)));
  const covered =
    uncovered.length === 0
      ? `${idRange(requirements)} covered`
      : `not covered: ${uncovered.map(({ id }) => id).join(", ")}`;
  return [
    `Plan has ${count(tasks.length, "task")}`,
    ...(requirements.length === 0 ? [] : [covered]),
    ...(marks.length === 0 ? [] : [isReviewed ? marks.join(" ") : "changed since its review"]),
    ...(open === 0 ? [] : [count(open, "remark")]),
  ].join(" · ");
}

function idRange(requirements: readonly Requirement[]): string {
  const [first, last] = [requirements[0]?.id ?? "", requirements.at(-1)?.id ?? ""];
  return requirements.length === 1 ? first : `${first} to ${last} all`;
}

const titleColumns = 36;

function taskLines(task: Task, costUsd: number | null, most: number): readonly string[] {
  const { id, title, complexity, covers, dependsOn, files, criteria } = task;
  const cost = costUsd === null ? "" : `~${usd(costUsd)}`;
  const after = dependsOn.length === 0 ? "" : `after ${dependsOn.join(", ")}`;
  const facts = [complexity.padEnd(6), covers.join(" ").padEnd(8), cost.padEnd(7), after].join("  ").trimEnd();
  const head = `${id}. ${oneLine(title)}`;
  const room = titleColumns - widthOf(head);
  const headed =
    room >= 0 && titleColumns + 2 + widthOf(facts) <= columns
      ? [`${head}${" ".repeat(room)}  ${facts}`]
      : [head, `     ${facts.replace(/ {2,}/g, "  ")}`];
  const shown = criteria.slice(0, most).map((text) => `     - ${oneLine(text)}`);
  const more = criteria.length > most ? [`     (${criteria.length - most} more criteria)`] : [];
  return [...headed, `     ${files.join("  ")}`, ...shown, ...more];
}

/** Which task meets which requirement; the tasks themselves say it by id alone. */
function coverageLines({ tasks, requirements }: PlanPreview): readonly string[] {
  if (requirements.length === 0) return [];
  const lines = requirements.map(({ id, text }) => {
    const by = tasks.filter(({ covers }) => covers.includes(id)).map((task) => task.id);
    const told = by.length === 0 ? "no task" : `task ${by.join(", ")}`;
    const room = columns - 2 - widthOf(id) - 2 - widthOf(told) - 2;
    const said = truncate(oneLine(text), room);
    return `  ${id}  ${said}${" ".repeat(Math.max(0, room - widthOf(said)))}  ${told}`;
  });
  return ["", "Requirements:", ...lines];
}

function remarkLines({ waivers, deferred }: PlanRemarks): readonly string[] {
  const remarks = [...waivers, ...deferred];
  return remarks.length === 0 ? [] : ["", "Remarks of the reviewers:", ...remarks.map((text) => `- ${oneLine(text)}`)];
}
