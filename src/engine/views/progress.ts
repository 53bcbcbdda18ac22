// The progress file: where the run stands and how it came there, readable without superteam. A pure function of the
// view; what has not happened yet is an empty box, what this run does not have is left out.

import { clockTime, count, dateTime, oneLine, reviewMark, usd } from "./format.ts";
import type { Configured, ReviewLine, RunView, TaskView } from "./shape.ts";
import { phaseDetail } from "./status.ts";

export function formatProgress(view: RunView): string {
  const sections = [
    [`# Workflow: ${oneLine(view.goal, 200)}`],
    [header(view)],
    ["## Brainstorm", ...brainstormLines(view)],
    ["## Plan", ...planLines(view)],
    ...(view.configured === null ? [] : [["## Config", configLine(view.configured)]]),
    ...(view.tasks.size === 0 ? [] : [["## Tasks", ...[...view.tasks.values()].map(taskLine)]]),
    ["## Log", ...view.log.map(({ at, text }) => `- ${clockTime(at)} — ${oneLine(text, 200)}`)],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function header(view: RunView): string {
  const cost = usd(view.spend.total.costUsd);
  return `**Status:** ${statusOf(view)} | **Cost:** ${cost} | **Started:** ${dateTime(view.startedAt)}`;
}

const phaseWords: Readonly<Record<string, string>> = {
  brainstorm: "Brainstorming",
  "plan-write": "Writing the plan",
  "plan-review": "Reviewing the plan",
  configure: "Configuring",
  execute: "Executing",
  finalize: "Finalizing",
};

const endingWords = { finished: "Complete", failed: "Failed", aborted: "Aborted" } as const;

function statusOf(view: RunView): string {
  if (view.ending) return endingWords[view.ending.how];
  // The report is the last thing a pipeline says; the file is committed before the run's own last entry.
  if (view.report !== null) return endingWords.finished;
  const word = view.phase === null ? "Starting" : (phaseWords[view.phase] ?? view.phase);
  // The file is not written for every step of a task, so it does not say which one the task is at.
  const detail = phaseDetail(view).replace(/ — .*/, "");
  return detail === "" ? word : `${word} (${detail})`;
}

function brainstormLines({ brainstorm, designPath }: RunView): readonly string[] {
  const { questions, answers, approach, sections, approvals } = brainstorm;
  const approved = [...approvals.values()].filter(Boolean).length;
  return [
    box(brainstorm.scoutOutput !== null, "Scout codebase"),
    box(
      answers.size > 0 && answers.size >= questions.length,
      answers.size === 0 ? "Requirements" : `Requirements (${count(answers.size, "question")} answered)`,
    ),
    box(approach !== null, approach === null ? "Approach" : `Approach: ${oneLine(approach.title, 120)}`),
    box(
      sections.length > 0 && approved >= sections.length,
      sections.length === 0 ? "Design validated" : `Design validated (${approved}/${sections.length} sections)`,
    ),
    box(designPath !== null, designPath === null ? "Design" : `Design: ${designPath}`),
  ];
}

function planLines({ planPath, planApproved, planReviews }: RunView): readonly string[] {
  return [
    box(planPath !== null, planPath === null ? "Plan" : `Plan: ${planPath}`),
    reviewLine("Architect review", planReviews.get("architect")),
    reviewLine("Spec review", planReviews.get("spec-reviewer")),
    box(planApproved, "Approved by user"),
  ];
}

function reviewLine(what: string, review: ReviewLine | undefined): string {
  if (!review) return box(false, what);
  if (review.verdict === "approved") return box(true, `${what}: ✓`);
  return box(false, `${what}: ✗ (${count(review.findings.length, "finding")})`);
}

/** Test-driven work is asked of implementers; nothing proves that they did it. */
function configLine({ execution, batchSize, review }: Configured): string {
  const pace = execution === "batch" && batchSize !== null ? `batch of ${batchSize}` : execution;
  return `- Execution: ${pace} | Review: ${review} | TDD: asked for`;
}

function taskLine(task: TaskView): string {
  const line = box(task.status === "complete", `${task.number}. ${oneLine(task.title, 120)}`);
  const note = taskNote(task);
  return note === "" ? line : `${line} — ${note}`;
}

function taskNote(task: TaskView): string {
  if (task.status === "pending") return "";
  if (task.status === "complete") return [...task.reviews.values()].map(reviewMark).join(" ");
  return task.status === "skipped" || task.status === "escalated" ? task.status : `${task.status}...`;
}

function box(done: boolean, text: string): string {
  return `- [${done ? "x" : " "}] ${text}`;
}
