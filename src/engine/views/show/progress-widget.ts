// The widget `workflow-progress`: what is built, how far it is, and the tasks in a row.

import type { TaskStatus } from "../../../core/flow/fact.ts";
import { oneLine } from "../../../core/text/format.ts";
import { truncate, widthOf } from "../../../core/text/width.ts";
import { isCounting, type RunView, type TaskView } from "../fold/shape.ts";
import { currentTasks, isSettled, placeOf } from "../fold/tasks.ts";
import { taskMark } from "./status.ts";

const cells = 20;

/** How much of a task is done at each of its steps. */
export const stepFractions: Readonly<Record<TaskStatus | "reviewed once", number>> = {
  pending: 0,
  implementing: 0.2,
  reviewing: 0.6,
  fixing: 0.6,
  escalated: 0.6,
  /** Reviewing, and a reviewer has passed it. */
  "reviewed once": 0.85,
  complete: 1,
  skipped: 1,
};

/** Rows the list of tasks may take, and how many tasks can possibly fit in them. */
const listRows = 3;
const mostListed = 40;

/** Undefined unless tasks are being worked on. */
export function progressWidget(view: RunView, width: number): readonly string[] | undefined {
  if (view.ending || view.tasks.size === 0 || !isCounting(view, "bar")) return undefined;
  const done = percent(view);
  const filled = Math.floor((done / 100) * cells);
  const bar = `${"■".repeat(filled)}${"□".repeat(cells - filled)} ${done}%`;
  const tasks = [...view.tasks.values()];
  const current = currentTasks(view);
  const places = (current.length === 0 ? tasks.slice(0, 1) : current).map((task) => placeOf(view, task));
  return [
    `Workflow: ${oneLine(view.goal, 200)}`,
    `${bar}  (task ${places.join(", ")})`,
    ...taskRows(view, tasks, width - 2),
  ].map((line) => `│ ${truncate(line, width - 2)}`);
}

/** (done + the step fraction of the tasks at work) / total, as a whole number that is 100 only when all is done. */
export function percent({ tasks }: RunView): number {
  const done = tasks.values().reduce((sum, task) => sum + stepFractions[stepOf(task)], 0);
  return tasks.size === 0 ? 0 : Math.floor((done / tasks.size) * 100 + 1e-9);
}

function stepOf({ status, reviews }: TaskView): keyof typeof stepFractions {
  const passed = reviews.values().some((review) => review.verdict === "approved");
  return status === "reviewing" && passed ? "reviewed once" : status;
}

/** All tasks where there is room; else those around the one at work, with how many are left out on either side. */
function taskRows(view: RunView, tasks: readonly TaskView[], width: number): readonly string[] {
  const next = tasks.findIndex((task) => !isSettled(task));
  const around = Math.max(0, (next < 0 ? tasks.length : next) - 1);
  const rowsBetween = (from: number, to: number): readonly string[] => {
    const items = tasks
      .slice(from, to)
      .map((task) => `${taskMark(view, task)} ${truncate(oneLine(task.title, 60), 40)}`);
    const before = from === 0 ? [] : [`… ${from} before`];
    const after = to >= tasks.length ? [] : [`… ${tasks.length - to} more`];
    return packed([...before, ...items, ...after], width);
  };
  const whole = tasks.length > mostListed ? undefined : rowsBetween(0, tasks.length);
  if (whole && whole.length <= listRows) return whole;
  for (let to = Math.min(tasks.length, around + mostListed); to > around + 1; to--) {
    const rows = rowsBetween(around, to);
    if (rows.length <= listRows) return rows;
  }
  return rowsBetween(around, around + 1);
}

/** As many items in a row as fit. */
function packed(items: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row !== undefined && widthOf(row) + 2 + widthOf(item) <= width) rows[rows.length - 1] = `${row}  ${item}`;
    else rows.push(item);
  }
  return rows;
}
