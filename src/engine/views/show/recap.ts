// The state of a run, for the person who comes back to it.

import { clockTime, oneLine } from "../../../core/text/format.ts";
import { isCounting, pendingQuestion, type RunView, type TaskView } from "../fold/shape.ts";
import { currentTasks, placeOf } from "../fold/tasks.ts";
import { spentText } from "./money.ts";
import { phaseDetail } from "./status.ts";

/** `Run 7f3a: task 2/3, reviewing, round 1; spent $0.42; last: implementer finished fix (13:58 UTC); waiting for ...` */
export function recap(view: RunView, { isAlive = false }: { readonly isAlive?: boolean } = {}): string {
  const question = pendingQuestion(view)?.question;
  const parts = [
    position(view),
    `spent ${spentText(view.spend.total)}`,
    ...(view.last === null ? [] : [`last: ${oneLine(view.last.text, 120)} (${clockTime(view.last.at)} UTC)`]),
    ...(isAlive ? [] : interrupted(view)),
    ...(question === undefined
      ? []
      : [`waiting for your answer to "${oneLine(question.title, 120)}" (${question.id})`]),
  ];
  return `Run ${view.runId}: ${parts.join("; ")}`;
}

function position(view: RunView): string {
  if (view.ending) return view.ending.how;
  const tasks = currentTasks(view);
  if (isCounting(view, "task") && tasks.length > 0) return tasks.map((task) => taskPosition(view, task)).join("; ");
  const detail = phaseDetail(view);
  return detail === "" ? (view.phase ?? "not started") : `${view.phase}, ${detail}`;
}

function taskPosition(view: RunView, task: TaskView): string {
  const steps = [...view.open.values()].flatMap(({ request, where }) =>
    request.do === "dispatch" && where.task === task.id ? request.name.replaceAll("-", " ") : [],
  );
  const step = steps.at(-1) ?? task.status;
  return `task ${placeOf(view, task)} "${oneLine(task.title, 80)}", ${step}${task.round > 0 ? ` round ${task.round}` : ""}`;
}

/** Dispatches without an outcome start again from the tree they were given. */
function interrupted(view: RunView): readonly string[] {
  const roles = [...view.open.values()].flatMap(({ request }) => (request.do === "dispatch" ? [request.role] : []));
  return roles.length === 0 || view.ending ? [] : [`interrupted: ${roles.join(", ")}`];
}
