// The widget `workflow-activity`: a box per running agent, with who it is, what it did last and what it does now.

import { type Action, type Activity, type AgentActivity, actionsKept, doingNow } from "./activity.ts";
import { boxed } from "./box.ts";
import { count, oneLine } from "./format.ts";
import type { RunningDispatch, RunView } from "./shape.ts";
import { stepStatus, stepTitle } from "./step-status.ts";
import { actionLine } from "./tool-text.ts";

/** More boxes than this would fill the screen. */
const boxesShown = 3;

/** Undefined when no agent runs. */
export function activityWidget(view: RunView, activity: Activity, width: number): readonly string[] | undefined {
  const agents = [...view.running.values()];
  if (agents.length === 0) return undefined;
  const shown = agents.slice(0, boxesShown);
  const actions = Math.max(3, Math.floor(actionsKept / shown.length));
  const boxes = shown.flatMap((agent) => {
    const lines = [whoLine(agent), ...treeLines(agent, activity.get(agent.key), actions)];
    return boxed(stepTitle(view, agent), lines, width);
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

function whoLine({ role, model }: RunningDispatch): string {
  return `${role} (${model === null ? "waiting for its model" : oneLine(model, 60)})`;
}

/** The last line is what goes on: a call without an end, or thinking. */
function treeLines({ role }: RunningDispatch, agent: AgentActivity | undefined, max: number): readonly string[] {
  const done = (agent?.actions ?? []).map(actionText);
  const isBusy = doingNow(agent) !== undefined;
  const lines = isBusy ? done : [...done.slice(1 - max), `(${thoughts[role] ?? "thinking"}...)`];
  const last = lines.slice(-max);
  return last.map((line, index) => `${index === last.length - 1 ? "└" : "├"} ${line}`);
}

function actionText({ line, mark }: Action): string {
  return mark === null || mark === "" ? line : `${line} ${mark}`;
}

/** What a role does when it uses no tool. */
const thoughts: Readonly<Record<string, string>> = {
  "spec-reviewer": "analyzing spec compliance",
  "quality-reviewer": "analyzing code quality",
  "security-reviewer": "analyzing security",
  "performance-reviewer": "analyzing performance",
  "final-reviewer": "analyzing the whole of the work",
  architect: "analyzing the plan",
};
