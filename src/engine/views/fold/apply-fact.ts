// What each fact changes in the view. A fact of a kind this build does not know changes nothing.

import type { Fact, TaskLine } from "../../../core/flow/fact.ts";
import { forecastText } from "../show/forecast.ts";
import { count, usd } from "../show/format.ts";
import { isPlanPassed, type RunView, type TaskView, taskSpend, tell } from "./shape.ts";

type Of<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

export function applyFact(view: RunView, fact: Fact): void {
  // The table gives each type its own fold; that they belong together is more than the compiler can follow.
  const fold = folds[fact.type] as ((view: RunView, fact: Fact) => void) | undefined;
  fold?.(view, fact);
}

const folds: { readonly [T in Fact["type"]]: (view: RunView, fact: Of<T>) => void } = {
  triaged: (view, { mode, proposed }) => {
    view.mode = mode;
    tell(view, `Mode: ${mode}${mode === proposed ? "" : ` (proposed: ${proposed})`}`);
  },
  "part.started": (view, { part, of, title }) => {
    view.part = { part, of, title };
    tell(view, `Part ${part} of ${of} started: ${title}`);
  },
  forecast: (view, { forecast }) => {
    view.forecast = forecast;
    tell(view, forecastText(forecast));
  },
  "brainstorm.step": ({ brainstorm }, fact) => {
    brainstorm.step = fact.step;
  },
  "brainstorm.questions": ({ brainstorm }, fact) => {
    brainstorm.questions = fact.questions;
  },
  "brainstorm.answer": ({ brainstorm }, fact) => {
    brainstorm.answers.set(fact.question, fact.answer);
  },
  "brainstorm.approaches": ({ brainstorm }, { approaches, recommendation }) => {
    Object.assign(brainstorm, { approaches, recommendation });
  },
  "brainstorm.approach": ({ brainstorm }, { id, title, custom }) => {
    brainstorm.approach = { id, title, custom };
  },
  "brainstorm.sections": ({ brainstorm }, fact) => {
    brainstorm.sections = fact.sections;
  },
  "brainstorm.section": ({ brainstorm }, fact) => {
    brainstorm.approvals.set(fact.id, fact.approved);
  },
  "design.written": (view, fact) => {
    view.designPath = fact.path;
    tell(view, "Design approved");
  },
  "plan.written": writePlan,
  "plan.loaded": loadPlan,
  "plan.reviewed": reviewPlan,
  "plan.approved": (view) => {
    view.planApproved = true;
    tell(view, "Plan approved");
  },
  configured: (view, { execution, batchSize, review }) => {
    view.configured = { execution, batchSize, review };
  },
  "task.status": moveTask,
  "review.finished": reviewTask,
  "findings.deferred": (view, { task, findings }) => {
    for (const what of findings) view.deferred.push({ task, what });
  },
  "task.settled": settleTask,
  "final.reviewed": (view, { round, verdict, findings, summary = "" }) => {
    view.finalReview = { round, verdict, findings, summary };
    tell(
      view,
      `Final review ${verdict === "approved" ? "passed" : `not passed (${count(findings.length, "finding")})`}`,
    );
  },
  waiver: (view, { step, what }) => {
    view.waivers.push({ step, what });
    tell(view, `Waived (${step}): ${what}`);
  },
  warning: (view, { text }) => {
    view.warnings.push(text);
    tell(view, `Warning: ${text}`);
  },
  report: (view, fact) => {
    view.report = fact.text;
  },
};

/** The tasks of the newest plan, after those of earlier parts; one that has been started keeps what it came to. */
function writePlan(view: RunView, { path, tasks }: Of<"plan.written">): void {
  view.plansWritten = path === view.planPath ? view.plansWritten + 1 : 1;
  view.planPath = path;
  if (path !== null) view.plans.add(path);
  view.planApproved = false;
  view.planReviews.clear();
  const first = Number(tasks[0]?.id ?? 1);
  const earlier = [...view.tasks.values()].filter(({ id, settledAt }) => settledAt !== null && Number(id) < first);
  view.tasks = new Map([
    ...earlier.map((task): [string, TaskView] => [task.id, task]),
    ...tasks.map((line, index): [string, TaskView] => [line.id, plannedTask(view, line, earlier.length + index + 1)]),
  ]);
  // A plan without a document was made by code out of the goal: nothing was written that could be told of.
  if (path === null) return;
  tell(view, `${view.plansWritten > 1 ? "Plan revised" : "Plan written"} (${count(tasks.length, "task")})`);
}

/** The task keeps the number it has in its plan. What came before the plan is none of this run's business. */
function loadPlan(view: RunView, { path, task }: Of<"plan.loaded">): void {
  view.brainstorm.step = "done";
  view.planPath = path;
  view.plans.add(path);
  view.tasks = new Map([[task.id, plannedTask(view, task, Number(task.id))]]);
  tell(view, `Plan loaded: ${path}`);
}

function plannedTask(view: RunView, line: TaskLine, number: number): TaskView {
  const { id, title, complexity = "medium" } = line;
  const known = view.tasks.get(id);
  if (known && known.startedAt !== null) return Object.assign(known, { number, title, complexity });
  return {
    id,
    number,
    title,
    complexity,
    status: "pending",
    round: 0,
    commit: null,
    escalated: false,
    where: null,
    startedAt: null,
    settledAt: null,
    reviews: new Map(),
  };
}

/** Told once all who look at a plan have passed it, in whatever order they did. */
function reviewPlan(view: RunView, { role, cycle, verdict, findings }: Of<"plan.reviewed">): void {
  const passedBefore = isPlanPassed(view);
  view.planReviews.set(role, { role, round: cycle, verdict, findings });
  view.planReviewCycles = Math.max(view.planReviewCycles, cycle);
  if (verdict === "needs_revision") {
    tell(view, `Plan review: ${role} asks for changes (${count(findings.length, "finding")})`);
  }
  if (!passedBefore && isPlanPassed(view)) tell(view, "Plan review passed");
}

function moveTask(view: RunView, fact: Of<"task.status">): void {
  const task = taskOf(view, fact.task);
  view.currentTask = fact.task;
  task.status = fact.status;
  task.round = fact.round;
  if (fact.status === "fixing" || fact.status === "implementing") task.reviews.clear();
  if (fact.status === "escalated") task.escalated = true;
}

function reviewTask(view: RunView, fact: Of<"review.finished">): void {
  const { role, round, verdict, findings } = fact;
  const task = taskOf(view, fact.task);
  task.reviews.set(role, { role, round, verdict, findings });
  if (verdict === "needs_revision") {
    tell(view, `Task ${task.number}: ${role} asks for changes (${count(findings.length, "finding")})`);
  }
}

function settleTask(view: RunView, fact: Of<"task.settled">): void {
  const task = taskOf(view, fact.task);
  task.status = fact.status;
  task.commit = fact.commit;
  task.round = fact.rounds;
  task.settledAt = view.lastAt;
  tell(view, `Task ${task.number} ${fact.status} (${usd(taskSpend(view, fact.task).costUsd)})`);
}

/** A fact may name a task that no plan of this journal has; it is shown all the same. */
function taskOf(view: RunView, id: string): TaskView {
  const known = view.tasks.get(id);
  if (known) return known;
  const task = plannedTask(view, { id, title: `task ${id}` }, view.tasks.size + 1);
  view.tasks.set(id, task);
  return task;
}
