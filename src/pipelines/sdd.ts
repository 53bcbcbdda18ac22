// One task of a plan that a person wrote, through the same implementation, reviews and fixes as any other, to one
// commit. Nothing is scouted, designed or planned, and the whole is not reviewed: there is no whole yet.

import { z } from "zod";
import { child, config, type Flow, record, scope } from "../core/flow/flow.ts";
import { goalOf } from "../core/plan/header.ts";
import { Task, TreePath } from "../core/plan/plan.ts";
import type { PlanText } from "../core/plan/revision.ts";
import { headerOf } from "../core/plan/sections.ts";
import { ceremonies } from "../core/run/ceremony.ts";
import { definePipeline } from "../core/run/pipeline.ts";
import { Report, type Settled } from "../core/run/report.ts";
import { notOffered } from "../phases/finish/docs.ts";
import { notReviewed } from "../phases/finish/whole-review.ts";
import { suiteFlows } from "../phases/suite/scratch-run.ts";
import { type Choices, configureOne } from "../phases/task/configure.ts";
import { forecastWork } from "../phases/task/forecast.ts";
import { settleTask } from "../phases/task/settle-task.ts";
import { earlierFor, type TaskEnd, TaskInput } from "../phases/task/task-work.ts";
import { warn } from "../phases/work/consult.ts";
import { reviewFlows } from "../phases/work/review.ts";
import { instructions } from "../prompts/instructions.ts";
import { executePhase, roles, taskQuestions } from "./shared.ts";

/** Everything about the task as its plan has it now: the run keeps to that, whatever happens to the plan. */
export const SddInput = z.object({
  /** Which task of which plan, for people. */
  goal: z.string().trim().min(1),
  documents: z.object({ plan: TreePath }),
  task: Task,
  /** How many tasks the plan has. */
  total: z.int().min(1),
  /** What the plan as a whole is for. */
  purpose: z.string(),
  header: TaskInput.shape.header,
  /** The other tasks of the plan that were settled before, in the plan's order. */
  earlier: TaskInput.shape.earlier,
});
export type SddInput = z.infer<typeof SddInput>;

export const sdd = definePipeline({
  name: "sdd",
  title: "one task of a plan that a person wrote",
  // The plan is the person's.
  schedule: [{ ...executePhase, requires: [] }],
  isPlanned: true,
  input: SddInput,
  returns: Report,
  flows: { ...reviewFlows, ...suiteFlows, "settle-task": settleTask },
  run,
  // Files that are named like the plan of a part belong to the work.
  documents: ({ documents }) => [documents.plan],
  questions: taskQuestions,
  roles,
  instructions,
});

/** A plan and its document, as they are in the tree. */
export interface LoadedPlan extends PlanText {
  readonly path: string;
}

/** What a run of this task is started with. */
export function inputFor({ path, text, plan }: LoadedPlan, task: Task, earlier: SddInput["earlier"]): SddInput {
  return {
    goal: `Task ${task.id} of ${path}: ${task.title}`,
    documents: { plan: path },
    task,
    total: plan.tasks.length,
    purpose: goalOf(text),
    header: headerOf(text),
    earlier,
  };
}

function run(input: SddInput): Flow<Report> {
  return scope({ name: executePhase.phase, kind: "phase", returns: Report }, execute(input));
}

function* execute(input: SddInput): Flow<Report> {
  const { goal, documents, task, total } = input;
  const { id, title, complexity } = task;
  yield* record({ type: "plan.loaded", path: documents.plan, task: { id: `${id}`, title, complexity }, of: total });
  const mode = yield* modeOf();
  yield* warnOfGaps(input);
  const choices = yield* configureOne();
  yield* forecastWork({ mode, plan: { tasks: [task] }, choices }, { dryRun: false });
  const settled = yield* settle(input, mode, choices);
  yield* record({ type: "report", text: `Task ${id} of ${documents.plan} is ${settled.status}.` });
  const waivers = [...choices.waivers, ...settled.waivers.map((what) => `Task ${id}: ${what}`)];
  return { goal, tasks: [settled], final: notReviewed, docs: notOffered, waivers };
}

function* modeOf(): Flow<TaskInput["mode"]> {
  const { mode: wanted } = yield* config();
  const mode = wanted ?? "standard";
  const reason = wanted === undefined ? "the default for a task of a plan" : "as the configuration says";
  const { rounds } = ceremonies[mode];
  yield* record({ type: "triaged", mode, proposed: mode, reason, breadth: "one", parts: [], rounds });
  return mode;
}

/** The person may have done by hand what the task builds on. */
function* warnOfGaps({ task, earlier }: SddInput): Flow<void> {
  const complete = earlier.filter(({ status }) => status === "complete").map(({ id }) => id);
  const gaps = task.dependsOn.filter((id) => !complete.includes(id));
  for (const gap of gaps) yield* warn(`Task ${task.id} builds on task ${gap}, which no run has completed.`);
}

/** What outgrows a mode without a plan has one: it continues in the larger mode, with the work so far. */
function* settle(input: SddInput, firstMode: TaskInput["mode"], { review }: Choices): Flow<Settled> {
  const { task, total, purpose: goal, header } = input;
  const earlier = earlierFor(task, input.earlier);
  const common = { task, total, goal, header, review, requirements: [], elsewhere: [], earlier };
  let mode = firstMode;
  let carried: TaskInput["carried"] = null;
  for (;;) {
    const given: TaskInput = { ...common, mode, carried, isAlone: true, tests: null };
    const end: TaskEnd = yield* child<TaskEnd>({ flow: "settle-task", name: `task-${task.id}`, input: given });
    if (end.status !== "outgrown") return end;
    mode = end.mode;
    carried = { start: end.start, files: end.files, unheld: end.unheld, tests: end.tests };
  }
}
