// The progress file: where the run stands and how it came there, readable without superteam. A pure function of the
// view; what has not happened yet is an empty box, what this run does not have is left out.

import { type Ceremony, ceremonies, documentsIn, planReviewers } from "../../../core/run/ceremony.ts";
import { clockTime, count, dateTime, oneLine, usd } from "../../../core/text/format.ts";
import { reviewTitle } from "../facts/task.ts";
import {
  type Configured,
  doubtAbout,
  fieldsOf,
  type ReviewLine,
  type RunView,
  type TaskView,
  wantsTestFirst,
} from "../fold/shape.ts";
import { taskSpend } from "../fold/tasks.ts";
import { phaseNamed } from "../fold/where.ts";
import { phaseDetail, reviewMark } from "../show/status.ts";

export function formatProgress(view: RunView): string {
  const sections = [
    [`# Workflow: ${oneLine(view.goal, 200)}`],
    [header(view)],
    ["## Brainstorm", ...brainstormLines(view)],
    ...section("## Plan", planLines(view)),
    ...(view.configured === null ? [] : [["## Config", configLine(view, view.configured)]]),
    ...(view.tasks.size === 0 ? [] : [["## Tasks", ...[...view.tasks.values()].map((task) => taskLine(view, task))]]),
    ...section("## Cost", costLines(view)),
    ["## Log", ...view.log.map(({ at, text }) => `- ${clockTime(at)} — ${oneLine(text, 200)}`)],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Where progress or summary goes; nowhere as long as the mode is not known, and in a run that leaves no documents. */
export function documentPath(
  { documents, mode, config }: RunView,
  document: "progress" | "summary",
): string | undefined {
  const { commit } = fieldsOf(fieldsOf(config)["documents"]);
  const fate = mode && documentsIn(mode, typeof commit === "boolean" ? commit : undefined);
  return fate === null || fate === "none" ? undefined : documents[document];
}

/** The heading with its lines; no section when there are none. */
function section(heading: string, lines: readonly string[]): readonly (readonly string[])[] {
  return lines.length === 0 ? [] : [[heading, ...lines]];
}

function header(view: RunView): string {
  const cost = usd(view.spend.total.costUsd);
  const mode = view.mode === null ? "" : ` | **Mode:** ${view.mode}`;
  return `**Status:** ${statusOf(view)} | **Cost:** ${cost} | **Started:** ${dateTime(view.startedAt)}${mode}`;
}

export const endingWords = { finished: "Complete", failed: "Failed", aborted: "Aborted" } as const;

/** How it ended: the report is the last thing a pipeline says, and files are committed before the run's own last entry. */
export function endOf({ ending, report }: RunView): keyof typeof endingWords | null {
  return ending?.how ?? (report === null ? null : "finished");
}

function statusOf(view: RunView): string {
  const end = endOf(view);
  if (end) return endingWords[end];
  const word = view.phase === null ? "Starting" : (phaseNamed(view, view.phase)?.title ?? view.phase);
  // The file is not written for every step of a task, so it does not say which one the task is at.
  const detail = phaseDetail(view).replaceAll(/ — \w+/g, "");
  return detail === "" ? word : `${word} (${detail})`;
}

/** Leaves out what the mode does not have, unless it exists anyway. */
function brainstormLines(view: RunView): readonly string[] {
  const { brainstorm, designPath } = view;
  const { questions, answers, approach, sections, approvals } = brainstorm;
  const ceremony = ceremonyOf(view);
  const designs = ceremony.design !== "none";
  const approved = [...approvals.values()].filter(Boolean).length;
  const answered = answers.size === 0 ? "Requirements" : `Requirements (${count(answers.size, "question")} answered)`;
  const validated =
    sections.length === 0 ? "Design validated" : `Design validated (${approved}/${sections.length} sections)`;
  return [
    box(brainstorm.scoutOutput !== null, "Scout codebase"),
    ...(ceremony.questions || answers.size > 0
      ? [box(answers.size > 0 && answers.size >= questions.length, answered)]
      : []),
    ...(ceremony.approaches || approach ? [box(approach !== null, `Approach${titled(approach?.title)}`)] : []),
    ...(designs || sections.length > 0 ? [box(sections.length > 0 && approved >= sections.length, validated)] : []),
    ...(designs || designPath !== null ? [box(designPath !== null, `Design${titled(designPath)}`)] : []),
  ];
}

function titled(title: string | null | undefined): string {
  return title === null || title === undefined ? "" : `: ${oneLine(title, 120)}`;
}

/** What this run does before its tasks. Until the mode is decided it may be all of it. */
function ceremonyOf({ mode, skipsBrainstorm }: RunView): Ceremony {
  const ceremony = ceremonies[mode ?? "full"];
  return skipsBrainstorm ? { ...ceremony, questions: false, approaches: false, design: "none" } : ceremony;
}

function planLines(view: RunView): readonly string[] {
  const { planPath, planApproved, planReviews } = view;
  const { planner, planReview } = ceremonyOf(view);
  if (!planner && planPath === null) return [];
  const reviews = planReviewers.map((role) => reviewLine(reviewTitle(view, role), planReviews.get(role)));
  return [
    box(planPath !== null, `Plan${titled(planPath)}`),
    ...(planReview || planReviews.size > 0 ? reviews : []),
    box(planApproved, "Approved by user"),
  ];
}

function reviewLine(what: string, review: ReviewLine | undefined): string {
  if (!review) return box(false, what);
  if (review.verdict === "approved") return box(true, `${what}: ✓`);
  return box(false, `${what}: ✗ (${count(review.findings.length, "finding")})`);
}

/** What is asked of implementers; nothing proves that they did it. */
function configLine(view: RunView, { execution, batchSize, review }: Configured): string {
  const pace = execution === "batch" && batchSize !== null ? `batch of ${batchSize}` : execution;
  return `- Execution: ${pace} | Review: ${review} | TDD: ${wantsTestFirst(view) ? "required" : "off"}`;
}

function taskLine(view: RunView, task: TaskView): string {
  const line = box(task.status === "complete", `${task.number}. ${oneLine(task.title, 120)}`);
  const spent = taskSpend(view, task.id);
  const notes = [taskNote(view, task), spent.dispatches === 0 ? "" : `(${usd(spent.costUsd)})`].filter(Boolean);
  return notes.length === 0 ? line : `${line} — ${notes.join(" ")}`;
}

function costLines({ spend }: RunView): readonly string[] {
  return [...spend.phases].map(
    ([phase, { costUsd, dispatches }]) => `- ${phase}: ${usd(costUsd)} (${count(dispatches, "agent call")})`,
  );
}

function taskNote(view: RunView, task: TaskView): string {
  if (task.status === "pending") return "";
  if (task.status === "complete") {
    return [doubtAbout(view, task), ...[...task.reviews.values()].map(reviewMark)].filter(Boolean).join(" ");
  }
  return task.status === "skipped" || task.status === "escalated" ? task.status : `${task.status}...`;
}

function box(done: boolean, text: string): string {
  return `- [${done ? "x" : " "}] ${text}`;
}
