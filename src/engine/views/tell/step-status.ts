// What is being worked on, in one line: while an agent thinks, a check runs or the run waits.

import { duration, oneLine, wordsOf } from "../../../core/text/format.ts";
import type { OpenRequest, RunningDispatch, RunView } from "../fold/shape.ts";
import { placeOf } from "../fold/tasks.ts";
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
    const what = role === "implementer" ? oneLine(task.title, 100) : wordsOf(name);
    return `⚡ Task ${placeOf(view, task)}: ${what}`;
  }
  if (where.phase === "brainstorm") return `⚡ Brainstorm: ${brainstormTitles[name] ?? brainstormWork(name)}...`;
  return stepStatus(view, agent);
}

/** What goes on without an agent, and for how long; undefined for what takes no time to speak of. */
export function workStatus(open: OpenRequest, now: number): string | undefined {
  const until = awayUntil(open);
  if (until !== undefined) return `⚡ ${waitingText(until, now)}`;
  const what = workText(open);
  return what === undefined ? undefined : `⚡ ${what}... ${duration(now - open.at)}`;
}

function workText({ request }: OpenRequest): string | undefined {
  if (request.do === "check") return `Running ${request.name}: ${oneLine(request.command, 60)}`;
  if (request.do === "wait") return `Waiting ${duration(request.ms)} before the next try`;
  return request.do === "commit" ? "Committing" : undefined;
}

const brainstormTitles: Readonly<Record<string, string>> = {
  scout: "scout exploring codebase",
  questions: "generating questions",
  approaches: "proposing approaches",
  design: "writing design",
};

const brainstormSteps: Readonly<Record<string, string>> = {
  scout: "Scouting codebase",
  questions: "Generating questions",
  approaches: "Generating approaches",
  design: "Writing design",
};

const finalSteps: Readonly<Record<string, string>> = {
  "final-review": "Final review",
  "final-fix": "Fixing what the final review found",
  docs: "Updating documentation",
};

/** A section that the person did not agree to is written anew alone. */
function brainstormWork(name: string): string {
  return /^section-\d+$/.test(name) ? `revising ${wordsOf(name)}` : wordsOf(name);
}

function stepText(view: RunView, { role, name, where }: RunningDispatch): string {
  const task = where.task === null ? undefined : view.tasks.get(where.task);
  if (task) return `Executing task ${placeOf(view, task)} — ${task.status}`;
  switch (where.phase) {
    case "brainstorm":
      return brainstormSteps[name] ?? `Brainstorm: ${brainstormWork(name)}`;
    case "plan-write":
      return "Writing implementation plan";
    case "plan-review":
      return role === "planner" ? "Revising plan" : "Reviewing plan";
    case "reassess":
      return "Looking at what is left";
    case "finalize":
      return finalSteps[name] ?? `Finalizing: ${wordsOf(name)}`;
    default:
      return role === name ? `${role} at work` : `${role}: ${wordsOf(name)}`;
  }
}
