// What agents are doing right now: for each dispatch the last few tool calls, and how they ended. A fold over the events
// of agents, which are not journaled. It keeps a few short lines per running agent, however much one does.

import { readTestRun } from "../../../core/test-first/test-run.ts";
import { oneLine } from "../../../core/text/format.ts";
import type { AgentEvent, ToolCall } from "../../../ports/agents.ts";
import { formatToolAction, formatToolLine } from "../tell/tool-text.ts";
import { type InPipeline, roleNamed } from "./where.ts";

/** How many actions of an agent stay visible. */
export const actionsKept = 8;

/** This many failed calls without a good one in between are worth a warning. */
const tooManyFailures = 3;

export interface Action {
  /** `bash: npm test` */
  readonly line: string;
  /** `running npm test`, as long as it runs. */
  readonly doing: string;
  /** Such as `✓ (GREEN)`; null while it runs. */
  readonly mark: string | null;
  /** What it has printed last; empty before, and when it is over. */
  readonly printed: string;
}

export interface AgentActivity {
  /** Whether it is one of those that build, test first. */
  readonly builds: boolean;
  /** Oldest first. */
  readonly actions: readonly Action[];
  /** What the agent's own test runs have said last. */
  readonly tests: "unknown" | "green" | "broken";
  readonly failedInRow: number;
  /** How often there were too many failures in a row. */
  readonly alarms: number;
}

/** By the key of the dispatch. */
export type Activity = Map<string, AgentActivity>;

export interface AgentSign {
  readonly key: string;
  readonly role: string;
  readonly event: AgentEvent;
}

export function applySign(activity: Activity, { key, role, event }: AgentSign, run: InPipeline): Activity {
  const idle = { ...nothingYet, builds: roleNamed(run, role)?.builds ?? false };
  if (event.type === "finished" || event.type === "failed") activity.delete(key);
  if (event.type === "spawned") activity.set(key, idle);
  const agent = activity.get(key) ?? idle;
  if (event.type === "output") activity.set(key, printed(agent, event));
  if (event.type !== "tool") return activity;
  activity.set(key, event.state === "start" ? begin(agent, event) : end(agent, event));
  return activity;
}

/** Whether this sign is the first one of an agent that fails again and again. */
export function isInTrouble(activity: Activity, { key, event }: AgentSign): boolean {
  const agent = activity.get(key);
  const failed = event.type === "tool" && event.state === "end" && event.failed;
  return failed && agent?.failedInRow === tooManyFailures && agent.alarms === 1;
}

/** What the agent does this moment; undefined between two calls. */
export function doingNow(agent: AgentActivity | undefined): string | undefined {
  return agent?.actions.findLast((action) => action.mark === null)?.doing;
}

export type ToolEvent = Extract<AgentEvent, { readonly type: "tool" }>;

const nothingYet = { actions: [], tests: "unknown", failedInRow: 0, alarms: 0 } as const;

function begin(agent: AgentActivity, call: ToolEvent): AgentActivity {
  const action = { line: formatToolLine(call), doing: formatToolAction(call), mark: null, printed: "" };
  return { ...agent, actions: [...agent.actions.slice(1 - actionsKept), action] };
}

function printed(agent: AgentActivity, event: Extract<AgentEvent, { readonly type: "output" }>): AgentActivity {
  return changed(agent, event, { printed: oneLine(event.line, 200) });
}

/** Calls that run side by side may end in any order: the oldest open one with this text is meant. */
function changed(agent: AgentActivity, call: ToolCall, change: Partial<Action>): AgentActivity {
  const line = formatToolLine(call);
  const at = agent.actions.findIndex((action) => action.line === line && action.mark === null);
  return {
    ...agent,
    actions: agent.actions.map((action, index) => (index === at ? { ...action, ...change } : action)),
  };
}

function end(agent: AgentActivity, event: ToolEvent): AgentActivity {
  const mark = markOf(agent, event);
  const failedInRow = isHeldBack(event) ? agent.failedInRow : event.failed ? agent.failedInRow + 1 : 0;
  return {
    ...changed(agent, event, { mark, printed: "" }),
    tests: testsAfter(agent, event),
    failedInRow,
    alarms: agent.alarms + (failedInRow === tooManyFailures && !isHeldBack(event) ? 1 : 0),
  };
}

/** Not a failure: the agent learns what to do instead. */
function isHeldBack({ guard }: ToolEvent): boolean {
  return guard?.did === "held-back";
}

/** Red is what test-driven work begins with: expected until a builder's tests have passed once. */
function markOf({ builds, tests }: AgentActivity, event: ToolEvent): string {
  if (isHeldBack(event)) return "✗ (test first)";
  const seen = seenIn(event);
  if (seen === "red" && builds && tests === "unknown") return "✗ (RED — expected)";
  if (event.failed || seen === "red") return "✗";
  if (seen === "green") return "✓ (GREEN)";
  return event.does === "edit" && builds && tests === "green" ? "(refactoring)" : "";
}

function testsAfter({ tests }: AgentActivity, event: ToolEvent): AgentActivity["tests"] {
  const seen = seenIn(event);
  if (seen === "green") return "green";
  return seen === "red" && tests !== "unknown" ? "broken" : tests;
}

/** A guard has read what the run printed, and knows better than the command alone can tell. */
function seenIn({ does, command = "", failed, guard }: ToolEvent): "red" | "green" | undefined {
  if (guard?.did === "saw-red") return "red";
  if (guard?.did === "saw-green") return "green";
  const { showsGreen, showsRed } = readTestRun(does === "run" ? command : "");
  if (failed) return showsRed ? "red" : undefined;
  return showsGreen ? "green" : undefined;
}
