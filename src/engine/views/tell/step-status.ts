// What is being worked on, in one line: while an agent thinks, a check runs or the run waits.

import { duration, oneLine, wordsOf } from "../../../core/text/format.ts";
import type { OpenRequest, RunningDispatch, RunView } from "../fold/shape.ts";
import { placeOf } from "../fold/tasks.ts";
import { phaseNamed, roleNamed } from "../fold/where.ts";
import { awayUntil, waitingText } from "../show/status.ts";

/** `⚡ Scouting codebase...`, `⚡ Executing task 1/5 — implementing...` */
export function stepStatus(view: RunView, agent: RunningDispatch): string {
  return `⚡ ${stepText(view, agent)}...`;
}

/** What heads an agent's activity: `⚡ Task 3/7: Add auth middleware`, `⚡ Task 3/7: spec review`. */
export function stepTitle(view: RunView, agent: RunningDispatch): string {
  const { role, name, where } = agent;
  const task = where.task === null ? undefined : view.tasks.get(where.task);
  if (task) {
    const what = roleNamed(view, role)?.builds ? oneLine(task.title, 100) : wordsOf(name);
    return `⚡ Task ${placeOf(view, task)}: ${what}`;
  }
  const heading = phaseNamed(view, where.phase)?.headings?.[name];
  return heading === undefined ? stepStatus(view, agent) : `⚡ ${heading}...`;
}

/** What runs without an agent, and for how long; undefined for what is done at once. */
export function workStatus(open: OpenRequest, now: number): string | undefined {
  const until = awayUntil(open);
  if (until !== undefined) return `⚡ ${waitingText(until, now)}`;
  const what = workText(open);
  return what === undefined ? undefined : `⚡ ${what}... ${duration(now - open.at)}`;
}

function workText({ request }: OpenRequest): string | undefined {
  if (request.do === "check") return `Running ${request.name}: ${oneLine(request.command, 60)}`;
  if (request.do === "wait") return `Waiting ${duration(request.ms)} before the next try`;
  if (request.do === "open-place") return "Preparing a worktree";
  return request.do === "commit" ? "Committing" : undefined;
}

function stepText(view: RunView, { role, name, where }: RunningDispatch): string {
  const task = where.task === null ? undefined : view.tasks.get(where.task);
  if (task) return `Executing task ${placeOf(view, task)} — ${task.status}`;
  const steps = phaseNamed(view, where.phase)?.steps ?? {};
  const said = steps[name] ?? steps[role] ?? steps[name.replace(/\d+$/, "#")] ?? steps["*"];
  if (said !== undefined) return said.replace("*", () => wordsOf(name));
  return role === name ? `${role} at work` : `${role}: ${wordsOf(name)}`;
}
