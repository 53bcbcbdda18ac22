// Where a run stands, in a line for the footer and in a few lines for `superteam status`; and what an agent is doing
// right now, in a line.

import { count, dateTime, duration, oneLine, shortSha, usd } from "./format.ts";
import { currentTask, pendingQuestion, type RunView, type TaskView, taskSpend } from "./shape.ts";

/** `⚡ Workflow: execute (task 3/7 — reviewing) | $4.18` */
export function footer(view: RunView): string {
  const cost = usd(view.spend.total.costUsd);
  if (view.ending?.how === "finished")
    return `⚡ Complete! ${settledTasks(view)}/${view.tasks.size} tasks. ${cost} total.`;
  if (view.ending) return `⚡ Workflow: ${view.ending.how} | ${cost}`;
  const detail = phaseDetail(view);
  return `⚡ Workflow: ${view.phase ?? "starting"}${detail === "" ? "" : ` (${detail})`} | ${cost}`;
}

/** How far the phase has come: `questions 2/5`, `task 3/7 — reviewing`; empty when there is nothing to count. */
export function phaseDetail(view: RunView): string {
  if (view.phase === "brainstorm") return brainstormDetail(view);
  const task = currentTask(view);
  if (view.phase !== "execute" || !task) return "";
  return `task ${task.number}/${view.tasks.size}${task.status === "pending" ? "" : ` — ${task.status}`}`;
}

/** What `superteam status` prints. `now` tells how long things have been going on. */
export function statusLines(view: RunView, now: number): readonly string[] {
  return [
    `Run ${view.runId}: ${oneLine(view.goal, 200)}`,
    footer(view),
    `Started ${dateTime(view.startedAt)}, last activity ${duration(now - view.lastAt)} ago`,
    `Spent ${usd(view.spend.total.costUsd)}${view.spend.total.estimated ? " (partly estimated)" : ""} in ${count(view.spend.total.dispatches, "dispatch", "dispatches")}`,
    ...[...view.tasks.values()].map((task) => taskLine(view, task)),
    ...[...view.running.values()].map(
      (agent) => `Running: ${agent.role} (${agent.model ?? "model not known yet"}) for ${duration(now - agent.since)}`,
    ),
    ...questionLines(view),
    ...view.waivers.map((waiver) => `Waived (${waiver.step}): ${oneLine(waiver.what, 200)}`),
    ...endingLines(view),
  ];
}

/** `⚡ implementer: running npm test` */
export function actionLine(role: string, tool: string, args: unknown): string {
  return `⚡ ${role}: ${formatToolAction(tool, args)}`;
}

/** What a tool call does, in the words of a person. */
export function formatToolAction(tool: string, args: unknown): string {
  switch (tool) {
    case "read":
      return action("reading", text(args, "path", "file_path"));
    case "bash":
      return action("running", text(args, "command"));
    case "write":
      return action("writing", text(args, "path", "file_path"));
    case "edit":
      return action("editing", text(args, "path", "file_path"));
    case "grep":
      return action("searching for", text(args, "pattern"));
    case "find":
      return "finding files...";
    default:
      return oneLine(tool, 40);
  }
}

function brainstormDetail({ brainstorm }: RunView): string {
  const { step, questions, answers, sections, approvals } = brainstorm;
  if (step === "questions" && questions.length > 0) return position("questions", answers.size, questions.length);
  if (step !== "design" || sections.length === 0) return step;
  return position("design", [...approvals.values()].filter(Boolean).length, sections.length);
}

/** The one being worked on is the one after those that are done. */
function position(what: string, done: number, total: number): string {
  return `${what} ${Math.min(done + 1, total)}/${total}`;
}

function settledTasks(view: RunView): number {
  return [...view.tasks.values()].filter((task) => task.status === "complete").length;
}

const marks = { complete: "✓", skipped: "–", escalated: "!", pending: "○" } as const;

function taskLine(view: RunView, task: TaskView): string {
  const mark = task.status in marks ? marks[task.status as keyof typeof marks] : "▸";
  const spent = taskSpend(view, task.id);
  const parts = [
    ...(task.status === "pending" ? [] : [task.status]),
    ...(task.round > 0 ? [count(task.round, "round")] : []),
    ...(spent.dispatches > 0 ? [usd(spent.costUsd)] : []),
    ...(task.commit === null ? [] : [shortSha(task.commit)]),
  ];
  return `  ${mark} ${task.number}. ${oneLine(task.title, 100)}${parts.length > 0 ? ` — ${parts.join(", ")}` : ""}`;
}

function questionLines(view: RunView): readonly string[] {
  const question = pendingQuestion(view)?.question;
  if (!question) return [];
  const options =
    question.kind === "select" ? question.options.map((option, index) => `${index + 1}) ${option.label}`) : [];
  return [
    `Waiting for you: ${question.title} (${question.id})`,
    ...(question.message === "" ? [] : [`  ${oneLine(question.message, 200)}`]),
    ...options.map((option) => `    ${oneLine(option, 120)}`),
    `  Answer with: superteam answer <value> --id ${question.id}`,
  ];
}

function endingLines({ ending }: RunView): readonly string[] {
  if (ending?.how === "failed") return [`Failed in ${ending.failure.step}: ${ending.failure.detail}`];
  if (ending?.how === "aborted") return [`Aborted: ${ending.detail}`];
  return [];
}

function action(verb: string, object: string): string {
  return object === "" ? `${verb}...` : `${verb} ${oneLine(object, 60)}`;
}

function text(args: unknown, ...names: readonly string[]): string {
  if (typeof args !== "object" || args === null) return "";
  const found = Object.entries(args).find(([name, value]) => names.includes(name) && typeof value === "string");
  return found ? String(found[1]) : "";
}
