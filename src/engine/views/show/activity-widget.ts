// The widget `workflow-activity`: a box per running agent, with who it is, what it did last and what it does now.

import { count, oneLine } from "../../../core/text/format.ts";
import { truncate, widthOf } from "../../../core/text/width.ts";
import { type Action, type Activity, actionsKept, doingNow } from "../fold/activity.ts";
import type { RunningDispatch, RunView } from "../fold/shape.ts";
import { roleNamed } from "../fold/where.ts";
import { stepStatus, stepTitle } from "../tell/step-status.ts";
import { actionLine } from "../tell/tool-text.ts";
import { boxed } from "./table.ts";

/** What a line of the tree loses to the box, its margins and its branch. */
const frameColumns = 7;

/** More boxes than this would fill the screen. */
const boxesShown = 3;

/** Undefined when no agent runs. */
export function activityWidget(view: RunView, activity: Activity, width: number): readonly string[] | undefined {
  const agents = [...view.running.values()];
  if (agents.length === 0) return undefined;
  const shown = agents.slice(0, boxesShown);
  const actions = Math.max(3, Math.floor(actionsKept / shown.length));
  const boxes = shown.flatMap((agent) => {
    const seen = activity.get(agent.key);
    const done = (seen?.actions ?? []).flatMap((action) => actionText(action, width - frameColumns));
    // The last line is the current one: a call without an end, or what the agent does without a tool.
    const lines = [...done, ...(doingNow(seen) === undefined ? [idleText(view, agent)] : [])].slice(-actions);
    const tree = lines.map((line, index) => `${index === lines.length - 1 ? "└" : "├"} ${line}`);
    const who = `${agent.role} (${agent.model === null ? "waiting for its model" : oneLine(agent.model, 60)})`;
    return boxed(stepTitle(view, agent), [who, ...tree], width);
  });
  const more = agents.length - shown.length;
  return more === 0 ? boxes : [...boxes, `and ${count(more, "more agent")}`];
}

/** The status `workflow-action`: what the agent that began last does now, or which step it is at. */
export function agentStatus(view: RunView, activity: Activity): string | undefined {
  const agent = [...view.running.values()].at(-1);
  if (!agent) return undefined;
  const doing = doingNow(activity.get(agent.key));
  return doing === undefined ? stepStatus(view, agent) : actionLine(agent.role, doing);
}

/** A long line is cut before its mark. What a call has printed last stands below it while it runs. */
function actionText({ line, mark, printed }: Action, columns: number): readonly string[] {
  if (mark === null || mark === "") return printed === "" ? [line] : [line, `> ${printed}`];
  return [`${truncate(line, columns - widthOf(mark) - 1)} ${mark}`];
}

function idleText(view: RunView, { role, model }: RunningDispatch): string {
  return `(${model === null ? "starting" : (roleNamed(view, role)?.thinks ?? "thinking")}...)`;
}
