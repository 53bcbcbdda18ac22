// The state of a run, in a line for the footer and in a few lines for `superteam status`.

import type { TaskStatus } from "../../../core/flow/fact.ts";
import { answersTo, type NumberedOption, optionText } from "../../../core/flow/question.ts";
import {
  clean,
  clockTime,
  count,
  dateTime,
  duration,
  oneLine,
  shorten,
  shortSha,
  shortUsd,
  usd,
} from "../../../core/text/format.ts";
import {
  doubtAbout,
  doubtAboutAll,
  isCounting,
  type OpenRequest,
  pendingQuestion,
  type RunView,
  type TaskView,
} from "../fold/shape.ts";
import { costLeft, countTasks, currentTasks, isOutOfPlan, placeOf, taskSpend } from "../fold/tasks.ts";
import { budgetOf, budgetText, headed, phaseCosts, spentText } from "./money.ts";

/** `⚡ Workflow: execute (task 3/7 — reviewing) | $4.18 / $20` */
export function footer(view: RunView): string {
  const cost = usd(view.spend.total.costUsd);
  const limit = budgetOf(view)?.hardLimitUsd;
  if (view.ending?.how === "finished") return `⚡ Complete! ${settledText(view)}${cost} total.`;
  if (view.ending) return `⚡ Workflow: ${view.ending.how} | ${cost}`;
  const detail = phaseDetail(view);
  return `⚡ Workflow: ${view.phase ?? "starting"}${detail === "" ? "" : ` (${detail})`} | ${cost}${limit === undefined ? "" : ` / ${shortUsd(limit)}`}`;
}

/** How far the phase has come: `questions 2/5`, `task 3/7 — reviewing`; empty when there is nothing to count. */
export function phaseDetail(view: RunView): string {
  if (isCounting(view, "design")) return brainstormDetail(view);
  if (!isCounting(view, "task")) return "";
  const moving = ({ status }: TaskView): string => (status === "pending" ? "" : ` — ${status}`);
  return currentTasks(view)
    .map((task) => `task ${placeOf(view, task)}${moving(task)}`)
    .join(", ");
}

export interface Looking {
  /** Tells how long things have been going on. */
  readonly now: number;
  /** Whether a process is at work on the run. After a kill what seems to run does not. */
  readonly isAlive: boolean;
}

/** What `superteam status` prints. */
export function statusLines(view: RunView, look: Looking): readonly string[] {
  const { now } = look;
  return [
    `Run ${view.runId}: ${oneLine(view.goal, 200)}`,
    footer(view),
    `Started ${dateTime(view.startedAt)}, last activity ${duration(now - view.lastAt)} ago`,
    ...(view.mode === null ? [] : [`Mode: ${view.mode}${partText(view)}`]),
    ...moneyLines(view),
    ...[...view.tasks.values()].map((task) => taskLine(view, task)),
    ...remainingLines(view),
    ...agentLines(view, look),
    ...waitLines(view, look),
    ...questionLines(view),
    ...view.waivers.map((waiver) => `Waived (${waiver.step}): ${oneLine(waiver.what, 200)}`),
    ...endingLines(view),
  ];
}

function partText({ part }: RunView): string {
  return part === null ? "" : `, part ${part.part} of ${part.of}: ${oneLine(part.title, 100)}`;
}

function moneyLines(view: RunView): readonly string[] {
  const { total } = view.spend;
  const budget = budgetOf(view);
  return [
    `Spent ${spentText(total)} in ${count(total.dispatches, "agent call")}`,
    ...(budget === null ? [] : [`Budget: ${budgetText(budget)}`]),
    ...headed("Phases", phaseCosts(view)),
  ];
}

/** While tasks are worked on: what those that are left are expected to cost. */
function remainingLines(view: RunView): readonly string[] {
  const tasks = countTasks(view).left.length;
  const cost = costLeft(view);
  if (!isCounting(view, "task") || view.ending || cost === null || tasks === 0) return [];
  return [
    `Left: ${count(tasks, "task")}, about ${usd(cost.expectedUsd)} (${usd(cost.lowUsd)} to ${usd(cost.highUsd)})`,
  ];
}

/** After a kill the journal still has agents that no longer run: those without an outcome start again. */
function agentLines(view: RunView, { now, isAlive }: Looking): readonly string[] {
  const who = (role: string, model: string | null): string => `${role} (${model ?? "model not known yet"})`;
  if (isAlive) {
    const agents = [...view.running.values()];
    return agents.map(({ role, model, at }) => `Running: ${who(role, model)} for ${duration(now - at)}`);
  }
  return [...view.open.values()].flatMap(({ request, model }) =>
    request.do === "dispatch" ? [`Interrupted: ${who(request.role, model)}; it starts again`] : [],
  );
}

function waitLines(view: RunView, { now, isAlive }: Looking): readonly string[] {
  const until = quotaWait(view);
  if (until === undefined) return [];
  return isAlive ? [`Quota: ${waitingText(until, now)}`] : quotaLines(until, now);
}

/** Until when the run waits for its provider; undefined when it does not. */
export function quotaWait({ open, ending }: RunView): number | undefined {
  if (ending) return undefined;
  const until = [...open.values()].flatMap((request) => awayUntil(request) ?? []);
  return until.length === 0 ? undefined : Math.max(...until);
}

/** When a wait that suspends the run is over. */
export function awayUntil({ request, at }: OpenRequest): number | undefined {
  if (request.do !== "wait" || request.away !== true) return undefined;
  return request.until ?? at + request.ms;
}

/** `waiting for the provider until 14:30 UTC (12m 00s)` */
export function waitingText(until: number, now: number): string {
  // What is left is never more than a day on a clock that shows hours: the date is needed then.
  const when = until - now < 12 * 3_600_000 ? `${clockTime(until)} UTC` : dateTime(until);
  return `waiting for the provider until ${when} (${duration(until - now)})`;
}

/** What a person who finds the run suspended can do. */
export function quotaLines(until: number, now: number): readonly string[] {
  if (until <= now) return ["The provider should be available again: superteam resume continues."];
  return [
    `The provider's quota is used up: ${waitingText(until, now)}.`,
    "superteam resume --wait sleeps until then and continues; --model continues at once with another model.",
  ];
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

/** `2/3 tasks. `; of a run of one task out of a plan `Task 3. ` */
function settledText(view: RunView): string {
  const tasks = [...view.tasks.values()];
  const [first] = tasks;
  // A run that was split has no tasks of its own.
  if (first === undefined) return "";
  const doubt = doubtAboutAll(view);
  const doubted = doubt === "" ? "" : ` (${doubt})`;
  if (isOutOfPlan(view)) return `Task ${first.number}${first.status === "complete" ? doubted : ` ${first.status}`}. `;
  return `${countTasks(view).complete.length}/${tasks.length} tasks${doubted}. `;
}

const marks: Readonly<Partial<Record<TaskStatus, string>>> = {
  complete: "✓",
  skipped: "–",
  escalated: "!",
  pending: "○",
};

/** How a task stands, in one sign; `▸` for the one at work. A check mark is for work that a check has passed. */
export function taskMark(view: RunView, task: TaskView): string {
  return task.status === "complete" && doubtAbout(view, task) !== "" ? "•" : (marks[task.status] ?? "▸");
}

/** `spec ✓` */
export function reviewMark({ role, verdict }: { readonly role: string; readonly verdict: string }): string {
  return `${role.replace(/-reviewer$/, "")} ${verdict === "approved" ? "✓" : "✗"}`;
}

function taskLine(view: RunView, task: TaskView): string {
  const mark = taskMark(view, task);
  const spent = taskSpend(view, task.id);
  const parts = [
    ...(task.status === "pending" ? [] : [task.status]),
    ...(task.status === "complete" ? [doubtAbout(view, task)].filter((word) => word !== "") : []),
    ...(task.round > 0 ? [count(task.round, "round")] : []),
    ...(spent.dispatches > 0 ? [usd(spent.costUsd)] : []),
    ...(task.commit === null ? [] : [shortSha(task.commit)]),
  ];
  return `  ${mark} ${task.number}. ${oneLine(task.title, 100)}${parts.length > 0 ? ` — ${parts.join(", ")}` : ""}`;
}

function questionLines(view: RunView): readonly string[] {
  const question = pendingQuestion(view)?.question;
  if (!question) return [];
  return [
    `Waiting for you: ${question.title} (${question.id})`,
    ...(question.message === "" ? [] : askedLines(question.message)),
    ...answersTo(question).map((option) => `    ${option.number}) ${optionLine(option)}`),
    `  Answer with: superteam answer <value> --id ${question.id}`,
  ];
}

/** Laid out as the question lays them out: a plan has columns. */
function askedLines(message: string): readonly string[] {
  const said = clean(message)
    .split("\n")
    .map((line) => `  ${shorten(line, 1000)}`.trimEnd());
  const more = said.length - linesFirst - linesLast;
  if (more <= 1) return said;
  return [...said.slice(0, linesFirst), `  (${count(more, "more line")})`, ...said.slice(-linesLast)];
}

/** Of a question that is as long as a plan: its end says what it costs, and where all of it is. */
const [linesFirst, linesLast] = [16, 8];

function optionLine(option: NumberedOption): string {
  const { key, label, isRecommended } = option;
  const name = label.toLowerCase() === key ? label : `${label} [${key}]`;
  return shorten(optionText(`${name}${isRecommended ? " ★" : ""}`, option), 160);
}

function endingLines({ ending }: RunView): readonly string[] {
  if (ending?.how === "failed") return [`Failed in ${ending.failure.step}: ${ending.failure.detail}`];
  if (ending?.how === "aborted") return [`Aborted: ${ending.detail}`];
  return [];
}

/** The queued runs, by their goals; nothing when nobody waits. */
export function lineText([next, ...others]: readonly string[]): readonly string[] {
  if (next === undefined) return [];
  const waiting = others.length === 0 ? "1 run is" : `${count(others.length + 1, "run")} are`;
  return [
    `${waiting} queued. Next: ${oneLine(next, 60)}`,
    "To start it once no run is active here: superteam run --next",
  ];
}
