// The snapshot of the active run, `.superteam-workflow.json`: a projection for people and other tools. Nothing reads it
// back, so deleting or editing it changes nothing. What is not decided yet is left out of it.

import { optionsOf, type Question } from "../../../core/flow/question.ts";
import type { RunView, TaskView } from "../fold/shape.ts";
import { fieldsOf, idOf, pendingQuestion, roundLimits, wantsTestFirst } from "../fold/shape.ts";
import { isSettled, taskSpend } from "../fold/tasks.ts";

export function toSnapshot(view: RunView) {
  const tasks = [...view.tasks.values()];
  const next = tasks.findIndex((task) => !isSettled(task));
  const pending = pendingQuestion(view);
  return decided({
    version: 1,
    runId: view.runId,
    pipeline: view.pipeline.name,
    phase: view.ending ? "done" : (view.phase ?? "starting"),
    // How much process the run has.
    mode: view.mode,
    brainstorm: brainstormOf(view),
    config: configOf(view),
    userDescription: view.goal,
    designPath: view.designPath,
    planPath: view.planPath,
    tasks: tasks.map((task) => taskOf(view, task)),
    // The next task to be settled; the number of tasks when all are.
    currentTaskIndex: next < 0 ? tasks.length : next,
    // How often the plan was reviewed again after a revision.
    planReviewCycles: view.planReviewCycles,
    totalCostUsd: view.spend.total.costUsd,
    startedAt: view.startedAt,
    updatedAt: view.lastAt,
    pendingInteraction: pending && interactionOf(pending.question),
    error: errorOf(view),
  });
}

type Decided<T> = { readonly [K in keyof T]?: NonNullable<T[K]> } & {
  readonly [K in keyof T as T[K] extends NonNullable<T[K]> ? K : never]: T[K];
};

/** The fields that have a value. */
function decided<T extends object>(fields: T): Decided<T> {
  // The cast: whatever may be missing now is optional in the type.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Decided<T>;
}

function brainstormOf({ brainstorm }: RunView) {
  const { step, scoutOutput, questions, answers, approaches, recommendation, approach, sections } = brainstorm;
  return decided({
    step,
    scoutOutput,
    questions: questions.length === 0 ? null : answered(questions, answers),
    currentQuestionIndex: questions.length === 0 ? null : answers.size,
    approaches: approaches.length === 0 ? null : approaches,
    recommendation,
    chosenApproach: approach?.custom === false ? approach.id : null,
    customApproach: approach?.custom === true ? approach.title : null,
    ...(sections.length === 0 ? {} : sectionsOf(sections, brainstorm.approvals)),
  });
}

function answered(questions: readonly unknown[], answers: ReadonlyMap<string, string>): readonly object[] {
  return questions.map((question) => {
    const answer = answers.get(idOf(question));
    return { ...fieldsOf(question), ...(answer === undefined ? {} : { answer }) };
  });
}

function sectionsOf(sections: readonly unknown[], approvals: ReadonlyMap<string, boolean>) {
  const designSections = sections.map((section) => ({
    ...fieldsOf(section),
    approved: approvals.get(idOf(section)) === true,
  }));
  const open = designSections.findIndex((section) => !section.approved);
  return { designSections, currentSectionIndex: open < 0 ? sections.length : open };
}

function taskOf(view: RunView, task: TaskView) {
  const reviews = [...task.reviews.values()];
  const by = (passed: boolean) =>
    reviews.filter((review) => (review.verdict === "approved") === passed).map((review) => review.role);
  return decided({
    id: task.id,
    title: task.title,
    status: task.status,
    reviewsPassed: by(true),
    reviewsFailed: by(false),
    fixAttempts: task.round,
    costUsd: taskSpend(view, task.id).costUsd,
    commitSha: task.commit,
    testsPending: task.testsPending ? true : null,
  });
}

const interactionTypes = { select: "choice", confirm: "confirm", input: "input", editor: "input" } as const;

function interactionOf(question: Question) {
  const { id, kind, title, message } = question;
  const options = optionsOf(question).map(({ key, label, hint }) => decided({ key, label, hint }));
  return decided({
    id,
    type: interactionTypes[kind],
    title,
    question: message,
    options: options.length === 0 ? null : options,
    recommended: question.recommended,
    default: kind === "input" ? question.default : kind === "editor" ? question.prefill : null,
  });
}

function errorOf({ ending }: RunView): string | undefined {
  if (ending?.how === "failed") return `${ending.failure.step}: ${ending.failure.detail}`;
  return ending?.how === "aborted" ? `aborted: ${ending.detail}` : undefined;
}

function configOf(view: RunView) {
  const { configured } = view;
  const { plan, task } = roundLimits(view);
  return decided({
    // What implementers are asked for.
    tddMode: wantsTestFirst(view) ? "tdd" : "off",
    reviewMode: configured?.review,
    executionMode: configured?.execution,
    batchSize: configured?.batchSize,
    maxPlanReviewCycles: plan,
    maxTaskReviewCycles: task,
  });
}
