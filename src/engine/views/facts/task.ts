// What facts of the work on the tasks say, up to the review over all of them.

import type { Verdict } from "../../../core/review/review.ts";
import { count, oneLine, shortSha, usd, wordsOf } from "../../../core/text/format.ts";
import { type RunView, roundLimits, type TaskView, tell } from "../fold/shape.ts";
import { moveOn, plannedTask, taskSpend } from "../fold/tasks.ts";
import type { FactOf, FactTable } from "./fact-entry.ts";

export const taskFacts = {
  "task.status": {
    keep: moveTask,
    show: ({ status, round }, view) => (status === "fixing" ? fixText(round, view) : undefined),
  },
  "review.finished": {
    keep: (view, { task: id, role, round, verdict, findings }) => {
      const task = taskOf(view, id);
      task.reviews.set(role, { role, round, verdict, findings });
      if (verdict !== "needs_revision") return;
      tell(view, `Task ${task.number}: ${role} asks for changes (${count(findings.length, "finding")})`);
    },
    log: ({ task, role, verdict, round, findings }) =>
      `task ${task}: ${role} says ${verdict} in round ${round} (${count(findings.length, "finding")})`,
    show: ({ role, verdict }) => passed(titleOf(role), verdict),
    warn: (fact) => complaint(titleOf(fact.role), fact),
    event: ({ task, role, round, verdict, findings }) => ({
      type: "review.finished",
      of: "task",
      task,
      role,
      round,
      verdict,
      findings,
    }),
  },
  "findings.deferred": {
    keep: (view, { task, findings }) => {
      for (const what of findings) view.deferred.push({ task, what });
    },
  },
  "task.settled": {
    keep: (view, { task: id, status, commit, rounds }) => {
      const task = taskOf(view, id);
      Object.assign(task, { status, commit, round: rounds, settledAt: view.lastAt });
      tell(view, `Task ${task.number} ${status} (${usd(taskSpend(view, id).costUsd)})`);
    },
    log: ({ task, status, commit, rounds }) =>
      `task ${task} ${status}${commit === null ? "" : ` as ${shortSha(commit)}`} after ${count(rounds, "fix round")}`,
    warn: ({ task, status }) => (status === "complete" ? undefined : `– task ${task} ${status}`),
    event: ({ task, status, commit, rounds }, view) => ({
      type: "task.settled",
      task,
      status,
      commit,
      rounds,
      costUsd: taskSpend(view, task).costUsd,
    }),
  },
  "final.reviewed": {
    keep: (view, { round, verdict, findings, summary = "" }) => {
      view.finalReview = { round, verdict, findings, summary };
      const came = verdict === "approved" ? "passed" : `not passed (${count(findings.length, "finding")})`;
      tell(view, `Final review ${came}`);
    },
    log: ({ verdict, round, findings }) =>
      `final review: ${verdict} in round ${round} (${count(findings.length, "finding")})`,
    show: ({ verdict }) => passed("Final review", verdict),
    warn: (fact) => complaint("Final review", fact),
    event: ({ round, verdict, findings }) => ({
      type: "review.finished",
      of: "run",
      task: null,
      role: "final-reviewer",
      round,
      verdict,
      findings,
    }),
  },
} satisfies Partial<FactTable>;

function moveTask(view: RunView, fact: FactOf<"task.status">): void {
  const task = taskOf(view, fact.task);
  moveOn(view, fact.task);
  task.status = fact.status;
  task.round = fact.round;
  if (fact.status === "fixing" || fact.status === "implementing") task.reviews.clear();
  if (fact.status === "escalated") task.escalated = true;
}

/** A fact may name a task that no plan of this journal has; it is shown all the same. */
function taskOf(view: RunView, id: string): TaskView {
  const known = view.tasks.get(id);
  if (known) return known;
  const task = plannedTask(view, { id, title: `task ${id}` }, view.tasks.size + 1);
  view.tasks.set(id, task);
  return task;
}

/** `🔧 Fix attempt 1/3...`; a person may grant more than there are. */
function fixText(round: number, view: RunView): string {
  const { task: limit } = roundLimits(view);
  return `🔧 Fix attempt ${round}${limit === undefined || round > limit ? "" : `/${limit}`}...`;
}

/** `spec-reviewer` makes a `Spec review`. */
function titleOf(role: string): string {
  const words = wordsOf(role.replace(/-reviewer$/, "-review"));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function passed(title: string, verdict: Verdict): string | undefined {
  return verdict === "approved" ? `✓ ${title} passed` : undefined;
}

/** One finding stands beside the title, several stand below. */
function complaint(
  title: string,
  { verdict, findings }: FactOf<"review.finished" | "final.reviewed">,
): string | undefined {
  if (verdict === "approved") return undefined;
  if (verdict === "inconclusive") return `✗ ${title}: no clear verdict`;
  const lines = findings.map((finding) => oneLine(finding, 160));
  if (lines.length === 1) return `✗ ${title}: ${lines.join()}`;
  return [`✗ ${title}: ${count(lines.length, "finding")}`, ...lines.map((line) => `  ${line}`)].join("\n");
}
