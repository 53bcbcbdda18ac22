// The snapshot of the active run, `.superteam-workflow.json`: a projection for people and other tools. Nothing reads it
// back, so deleting or editing it changes nothing.

import type { TaskStatus } from "../../../core/flow/fact.ts";
import { optionsOf, type Question } from "../../../core/flow/question.ts";
import type { Mode } from "../../../core/run/config.ts";
import {
  type Configured,
  fieldsOf,
  idOf,
  pendingQuestion,
  type RunView,
  roundLimits,
  type TaskView,
  wantsTestFirst,
} from "../fold/shape.ts";
import { isSettled, taskSpend } from "../fold/tasks.ts";

export interface Snapshot {
  readonly version: 1;
  readonly runId: string;
  readonly pipeline: string;
  /** The name of the phase, `done` at the end. */
  readonly phase: string;
  /** How much process the run has, once it is decided. */
  readonly mode?: Mode;
  readonly brainstorm: BrainstormSnapshot;
  readonly config: ConfigSnapshot;
  readonly userDescription: string;
  readonly designPath?: string;
  readonly planPath?: string;
  readonly tasks: readonly TaskSnapshot[];
  /** The next task to be settled; the number of tasks when all are. */
  readonly currentTaskIndex: number;
  /** How often the plan was reviewed again after a revision. */
  readonly planReviewCycles: number;
  readonly totalCostUsd: number;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly pendingInteraction?: PendingInteraction;
  readonly error?: string;
}

/** What is not decided yet is left out. */
export interface ConfigSnapshot {
  /** What implementers are asked for. */
  readonly tddMode: "tdd" | "off";
  readonly reviewMode?: Configured["review"];
  readonly executionMode?: Configured["execution"];
  readonly batchSize?: number;
  readonly maxPlanReviewCycles?: number;
  readonly maxTaskReviewCycles?: number;
}

export interface BrainstormSnapshot {
  readonly step: string;
  readonly scoutOutput?: string;
  readonly questions?: readonly object[];
  readonly currentQuestionIndex?: number;
  readonly approaches?: readonly unknown[];
  readonly recommendation?: string;
  readonly chosenApproach?: string;
  readonly customApproach?: string;
  readonly designSections?: readonly object[];
  readonly currentSectionIndex?: number;
}

export interface TaskSnapshot {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly reviewsPassed: readonly string[];
  readonly reviewsFailed: readonly string[];
  readonly fixAttempts: number;
  readonly costUsd: number;
  readonly commitSha?: string;
}

export interface PendingInteraction {
  readonly id: string;
  readonly type: "choice" | "confirm" | "input";
  readonly title: string;
  readonly question: string;
  readonly options?: readonly { readonly key: string; readonly label: string }[];
  readonly default?: string;
}

export function toSnapshot(view: RunView): Snapshot {
  const tasks = [...view.tasks.values()];
  const next = tasks.findIndex((task) => !isSettled(task));
  const pending = pendingQuestion(view);
  const error = errorOf(view);
  return {
    version: 1,
    runId: view.runId,
    pipeline: view.pipeline.name,
    phase: view.ending ? "done" : (view.phase ?? "starting"),
    ...(view.mode === null ? {} : { mode: view.mode }),
    brainstorm: brainstormOf(view),
    config: configOf(view),
    userDescription: view.goal,
    ...(view.designPath === null ? {} : { designPath: view.designPath }),
    ...(view.planPath === null ? {} : { planPath: view.planPath }),
    tasks: tasks.map((task) => taskOf(view, task)),
    currentTaskIndex: next < 0 ? tasks.length : next,
    planReviewCycles: view.planReviewCycles,
    totalCostUsd: view.spend.total.costUsd,
    startedAt: view.startedAt,
    updatedAt: view.lastAt,
    ...(pending === undefined ? {} : { pendingInteraction: interactionOf(pending.question) }),
    ...(error === undefined ? {} : { error }),
  };
}

function brainstormOf({ brainstorm }: RunView): BrainstormSnapshot {
  const { step, scoutOutput, questions, answers, approaches, recommendation, approach, sections } = brainstorm;
  return {
    step,
    ...(scoutOutput === null ? {} : { scoutOutput }),
    ...(questions.length === 0 ? {} : { questions: answered(questions, answers), currentQuestionIndex: answers.size }),
    ...(approaches.length === 0 ? {} : { approaches }),
    ...(recommendation === null ? {} : { recommendation }),
    ...(approach === null
      ? {}
      : approach.custom
        ? { customApproach: approach.title }
        : { chosenApproach: approach.id }),
    ...(sections.length === 0 ? {} : sectionsOf(sections, brainstorm.approvals)),
  };
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

function taskOf(view: RunView, task: TaskView): TaskSnapshot {
  const reviews = [...task.reviews.values()];
  const by = (passed: boolean) =>
    reviews.filter((review) => (review.verdict === "approved") === passed).map((review) => review.role);
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    reviewsPassed: by(true),
    reviewsFailed: by(false),
    fixAttempts: task.round,
    costUsd: taskSpend(view, task.id).costUsd,
    ...(task.commit === null ? {} : { commitSha: task.commit }),
  };
}

const interactionTypes = { select: "choice", confirm: "confirm", input: "input", editor: "input" } as const;

function interactionOf(question: Question): PendingInteraction {
  const { id, title, message } = question;
  const options = optionsOf(question).map(({ key, label }) => ({ key, label }));
  const preset =
    question.kind === "input" ? question.default : question.kind === "editor" ? question.prefill : undefined;
  return {
    id,
    type: interactionTypes[question.kind],
    title,
    question: message,
    ...(options.length === 0 ? {} : { options }),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

function errorOf({ ending }: RunView): string | undefined {
  if (ending?.how === "failed") return `${ending.failure.step}: ${ending.failure.detail}`;
  return ending?.how === "aborted" ? `aborted: ${ending.detail}` : undefined;
}

function configOf(view: RunView): ConfigSnapshot {
  const { configured } = view;
  const { plan, task } = roundLimits(view);
  return {
    tddMode: wantsTestFirst(view) ? "tdd" : "off",
    ...(configured === null ? {} : { reviewMode: configured.review, executionMode: configured.execution }),
    ...(typeof configured?.batchSize === "number" ? { batchSize: configured.batchSize } : {}),
    ...(plan === undefined ? {} : { maxPlanReviewCycles: plan }),
    ...(task === undefined ? {} : { maxTaskReviewCycles: task }),
  };
}
