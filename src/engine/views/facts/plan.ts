// The texts of facts before an approved plan: brainstorm, design, plan, and the reviews of the plan.

import type { FactOf } from "../../../core/flow/fact.ts";
import { planReviewers } from "../../../core/run/ceremony.ts";
import { count, oneLine } from "../../../core/text/format.ts";
import { put, type ReviewLine, type RunView, type TaskView, tell } from "../fold/shape.ts";
import { plannedTask } from "../fold/tasks.ts";
import type { FactTable } from "./fact-entry.ts";
import { reviewEvent, verdictText } from "./task.ts";

export const planFacts = {
  "brainstorm.step": { keep: ({ brainstorm }, { step }) => put(brainstorm, { step }), event: (fact) => fact },
  "brainstorm.questions": {
    keep: ({ brainstorm }, { questions }) => put(brainstorm, { questions }),
    event: (fact) => fact,
  },
  "brainstorm.answer": {
    keep: ({ brainstorm }, { question, answer }) => brainstorm.answers.set(question, answer),
    event: (fact) => fact,
  },
  "brainstorm.approaches": {
    keep: ({ brainstorm }, { approaches, recommendation }) => put(brainstorm, { approaches, recommendation }),
    event: (fact) => fact,
  },
  "brainstorm.approach": {
    keep: ({ brainstorm }, { id, title, custom }) => put(brainstorm, { approach: { id, title, custom } }),
    event: (fact) => fact,
  },
  "brainstorm.sections": {
    keep: ({ brainstorm }, { sections }) => put(brainstorm, { sections }),
    event: (fact) => fact,
  },
  "brainstorm.section": {
    keep: ({ brainstorm }, { id, approved }) => brainstorm.approvals.set(id, approved),
    event: (fact) => fact,
  },
  "design.written": {
    keep: (view, { path }) => put(view, { designPath: path }),
    // Nobody approves a design that is the goal itself.
    moment: (_, { brainstorm }) => (brainstorm.sections.length === 0 ? "Design written" : "Design approved"),
    log: ({ path }) => `design written: ${path}`,
    show: ({ path }) => `📄 Design: ${path}`,
    event: (fact) => fact,
  },
  "plan.written": {
    keep: writePlan,
    // A plan without a document was made by code out of the goal: nothing was written that could be reported.
    moment: ({ path, tasks }, { plansWritten }) =>
      path === null ? undefined : `Plan ${plansWritten > 1 ? "revised" : "written"} (${count(tasks.length, "task")})`,
    log: ({ path, tasks }) => `plan written: ${path ?? "without a document"} (${count(tasks.length, "task")})`,
    show: (fact, view) => (fact.path === null ? undefined : planText(fact, view)),
    event: (fact) => fact,
  },
  "plan.loaded": {
    // The task keeps the number it has in its plan. What came before the plan does not belong to this run.
    keep: (view, { path, task }) => {
      view.brainstorm.step = "done";
      view.planPath = path;
      view.plans.add(path);
      view.tasks = new Map([[task.id, plannedTask(view, task, Number(task.id))]]);
    },
    moment: ({ path }) => `Plan loaded: ${path}`,
    log: ({ path, task, of }) => `plan loaded: ${path}, task ${task.id} of ${of}`,
    show: ({ path, task, of }) => `📄 Plan: ${path}, task ${task.id} of ${of}`,
    event: (fact) => fact,
  },
  "plan.reviewed": {
    keep: reviewPlan,
    log: ({ role, verdict, cycle, findings }) => `plan: ${role} ${verdictText({ verdict, round: cycle, findings })}`,
    show: (fact, view) => (isPlanPassed(view) ? planReviewText(fact, view) : undefined),
    warn: (fact, view) => (isPlanPassed(view) ? undefined : planReviewText(fact, view)),
    event: (fact) => reviewEvent("plan", { ...fact, round: fact.cycle }),
  },
  "plan.approved": {
    keep: (view) => put(view, { planApproved: true }),
    moment: () => "Plan approved",
    log: () => "plan approved",
    event: () => ({ type: "plan.approved" }),
  },
} satisfies Partial<FactTable>;

/** Whether every reviewer of the plan has passed it as it is now. */
function isPlanPassed({ planReviews }: RunView): boolean {
  return planReviewers.every((role) => planReviews.get(role)?.verdict === "approved");
}

/** The tasks of the newest plan, after those of earlier parts; one that has been started keeps what it came to. */
function writePlan(view: RunView, { path, tasks }: FactOf<"plan.written">): void {
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
}

/** The tasks are listed once; a revision says how many there are now. */
function planText({ path, tasks }: FactOf<"plan.written">, { plansWritten }: RunView): string {
  if (plansWritten > 1) return `📄 Plan revised: ${path} (${count(tasks.length, "task")})`;
  const lines = tasks.map(({ title }, index) => `  ${index + 1}. ${oneLine(title, 120)}`);
  return [`${count(tasks.length, "task")} found:`, ...lines].join("\n");
}

/** The plan passes once every reviewer has passed it, in any order. */
function reviewPlan(view: RunView, { role, cycle, verdict, findings }: FactOf<"plan.reviewed">): void {
  const passedBefore = isPlanPassed(view);
  view.planReviews.set(role, { role, round: cycle, verdict, findings });
  view.planReviewCycles = Math.max(view.planReviewCycles, cycle);
  if (verdict === "needs_revision") {
    tell(view, `Plan review: ${role} asks for changes (${count(findings.length, "finding")})`);
  }
  if (!passedBefore && isPlanPassed(view)) tell(view, "Plan review passed");
}

/** Told once per cycle, when every reviewer has looked: `📋 Plan review: architect ✓, spec-reviewer ✓`. */
function planReviewText({ cycle }: FactOf<"plan.reviewed">, { planReviews }: RunView): string | undefined {
  const reviews = planReviewers.flatMap((role) => planReviews.get(role) ?? []);
  if (reviews.length < planReviewers.length || reviews.some((review) => review.round !== cycle)) return undefined;
  const marks = reviews.map(({ role, verdict }) => `${role} ${verdict === "approved" ? "✓" : "✗"}`).join(", ");
  return [`📋 Plan review: ${marks}`, ...reviews.flatMap(planFindings)].join("\n");
}

function planFindings({ role, verdict, findings }: ReviewLine): readonly string[] {
  if (verdict === "approved") return [];
  if (verdict === "inconclusive") return [`  ${role}: no clear verdict`];
  return findings.map((finding) => `  ${role}: ${oneLine(finding, 160)}`);
}
