// The texts of facts about the tasks, up to the review over all of them.

import type { FactOf } from "../../../core/flow/fact.ts";
import type { Verdict } from "../../../core/review/review.ts";
import { claimLines } from "../../../core/run/own-words.ts";
import type { Doubt } from "../../../core/run/unchecked.ts";
import { count, oneLine, shortSha, usd, wordsOf } from "../../../core/text/format.ts";
import { doubtAbout, put, type ReviewLine, type RunView, roundLimits, type TaskView } from "../fold/shape.ts";
import { moveOn, plannedTask, taskSpend } from "../fold/tasks.ts";
import { roleNamed } from "../fold/where.ts";
import type { EventBody } from "../tell/output-event.ts";
import type { FactTable } from "./fact-entry.ts";

export const taskFacts = {
  "task.status": {
    keep: moveTask,
    show: ({ status, round }, view) => (status === "fixing" ? fixText(round, view) : undefined),
    event: (fact) => fact,
  },
  "review.finished": {
    keep: (view, { task, role, round, verdict, findings }) =>
      taskOf(view, task).reviews.set(role, { role, round, verdict, findings }),
    moment: ({ task, role, verdict, findings }, view) =>
      verdict === "needs_revision"
        ? `Task ${taskOf(view, task).number}: ${role} asks for changes (${count(findings.length, "finding")})`
        : undefined,
    log: ({ task, role, verdict, round, findings }) =>
      `task ${task}: ${role} ${verdictText({ verdict, round, findings })}`,
    show: ({ role, verdict }, view) => passed(reviewTitle(view, role), verdict),
    warn: (fact, view) => complaint(reviewTitle(view, fact.role), fact),
    event: (fact) => reviewEvent("task", fact, fact.task),
  },
  "findings.deferred": {
    keep: ({ deferred }, { task, findings }) => deferred.push(...findings.map((what) => ({ task, what }))),
    event: (fact) => fact,
  },
  "task.settled": {
    keep: (view, { task, status, commit, rounds, testsPending = false, said = "", concerns = [], disputed = [] }) => {
      const words = { said, concerns, disputed };
      put(taskOf(view, task), { status, commit, round: rounds, testsPending, ...words, settledAt: view.lastAt });
    },
    moment: (fact, view) =>
      `Task ${taskOf(view, fact.task).number} ${howSettled(fact, view)} (${usd(taskSpend(view, fact.task).costUsd)})`,
    log: ({ commit, rounds, ...fact }, view) =>
      `task ${fact.task} ${howSettled(fact, view)}${commit === null ? "" : ` as ${shortSha(commit)}`}${rounds === 0 ? "" : ` after ${count(rounds, "fix round")}`}`,
    warn: ({ task, status }) => (status === "complete" ? undefined : `– task ${task} ${status}`),
    event: (fact, view) => {
      const doubt = doubtIn(fact, view);
      return { ...fact, ...(doubt === "" ? {} : { doubt }), costUsd: taskSpend(view, fact.task).costUsd };
    },
  },
  "writer.said": {
    keep: ({ writers }, { type: _, ...words }) => writers.push(words),
    log: ({ work, said }) => `${work}: ${oneLine(said, 160)}`,
    warn: ({ work, concerns, disputed }) => {
      const lines = claimLines({ concerns, disputed }).map((line) => `  ${oneLine(line, 300)}`);
      return lines.length === 0 ? undefined : [`The writer of the ${work} says:`, ...lines].join("\n");
    },
    event: (fact) => fact,
  },
  "final.reviewed": {
    keep: (view, { round, verdict, findings, summary = "" }) =>
      put(view, { finalReview: { round, verdict, findings, summary } }),
    moment: ({ verdict, findings }) =>
      `Final review ${verdict === "approved" ? "passed" : `not passed (${count(findings.length, "finding")})`}`,
    log: ({ verdict, round, findings }) => `final review: ${verdictText({ verdict, round, findings })}`,
    show: ({ verdict }) => passed("Final review", verdict),
    warn: (fact) => complaint("Final review", fact),
    event: (fact) => reviewEvent("run", fact),
  },
} satisfies Partial<FactTable>;

type Settled = Pick<FactOf<"task.settled">, "status" | "testsPending">;

const doubtIn = ({ status, testsPending }: Settled, view: RunView): Doubt | "" =>
  status === "complete" ? doubtAbout(view, { testsPending: testsPending === true }) : "";

function howSettled(fact: Settled, view: RunView): string {
  const doubt = doubtIn(fact, view);
  return doubt === "" ? fact.status : `${fact.status}, ${doubt}`;
}

const verdictWords = {
  approved: "approved",
  needs_revision: "asks for changes",
  inconclusive: "gave no clear verdict",
};

/** `asks for changes (2 findings)`, `approved in round 1` */
export function verdictText({ verdict, round, findings }: Pick<ReviewLine, "verdict" | "round" | "findings">): string {
  const found = findings.length === 0 ? "" : ` (${count(findings.length, "finding")})`;
  return `${verdictWords[verdict]}${round === 0 ? "" : ` in round ${round}`}${found}`;
}

/** The event is the same for all kinds of reviews. */
export function reviewEvent(
  of: "plan" | "task" | "run",
  { role, round, verdict, findings }: ReviewLine,
  task: string | null = null,
): EventBody {
  return { type: "review.finished", of, task, role, round, verdict, findings };
}

function moveTask(view: RunView, fact: FactOf<"task.status">): void {
  const task = taskOf(view, fact.task);
  moveOn(view, fact.task);
  task.status = fact.status;
  task.round = fact.round;
  if (fact.status === "fixing" || fact.status === "implementing") task.reviews.clear();
  if (fact.status === "escalated") task.escalated = true;
}

/** A fact may name a task that no plan of this journal has; it is still shown. */
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

/** `Spec review` */
export function reviewTitle(view: RunView, role: string): string {
  return roleNamed(view, role)?.review ?? wordsOf(role);
}

function passed(title: string, verdict: Verdict): string | undefined {
  return verdict === "approved" ? `✓ ${title} passed` : undefined;
}

/** One finding goes beside the title, several go below. */
function complaint(title: string, { verdict, findings }: Omit<ReviewLine, "role">): string | undefined {
  if (verdict === "approved") return undefined;
  if (verdict === "inconclusive") return `✗ ${title}: no clear verdict`;
  const lines = findings.map((finding) => oneLine(finding, 160));
  if (lines.length === 1) return `✗ ${title}: ${lines.join()}`;
  return [`✗ ${title}: ${count(lines.length, "finding")}`, ...lines.map((line) => `  ${line}`)].join("\n");
}
