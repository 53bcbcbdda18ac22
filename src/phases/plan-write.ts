// From the approved design to a plan on disk. The planner writes the document itself; what counts is what is read back.

import type { Requirement } from "../core/brainstorm.ts";
import { changes, type Flow, read, record, restore, snapshot } from "../core/flow.ts";
import type { Plan } from "../core/plan.ts";
import { type PlanReading, readPlan } from "../core/plan-document.ts";
import type { Anchor } from "../core/repository.ts";
import { mendPlan, type PlanBrief, writePlan } from "../prompts/plan.ts";
import { askAboutAnswer, engage, type Order, triesBeforeAsking, warn } from "./consult.ts";

export interface PlanJob extends PlanBrief {
  readonly requirements: readonly Requirement[];
}

export function* planWrite(job: PlanJob): Flow<Plan> {
  return yield* draft(job, "plan", writePlan(job));
}

/** Has the planner write the document until it holds a usable plan. */
export function* draft(job: PlanJob, name: "plan" | "revise", firstPrompt: string): Flow<Plan> {
  const before = yield* read(job.path);
  let prompt = firstPrompt;
  for (let tries = 1; ; tries++) {
    const order: Order = {
      step: name === "plan" ? "plan.write" : "plan.revise",
      name,
      role: "planner",
      access: "write",
      prompt,
    };
    const start = yield* snapshot(name);
    const { text: said } = yield* engage(order);
    yield* keepToDocument(name, start);
    const text = yield* read(job.path);
    const reading = readBack(job, text, before);
    if (reading.ok) return yield* written(job.path, reading.plan);
    if (tries % triesBeforeAsking === 0) yield* askAboutAnswer(order, reading.problems.join("\n"), text ?? said);
    prompt = mendPlan(firstPrompt, reading.problems);
  }
}

function readBack({ path, requirements }: PlanJob, text: string | null, before: string | null): PlanReading {
  if (text === null) return { ok: false, problems: [`\`${path}\` was not written.`] };
  if (text === before) return { ok: false, problems: [`\`${path}\` was not written: it is as it was before.`] };
  return readPlan(
    text,
    requirements.map((requirement) => requirement.id),
  );
}

/** The plan is a document of the run and no part of the tree: whatever else the planner wrote goes. */
function* keepToDocument(name: string, start: Anchor): Flow<void> {
  const { files } = yield* changes(name, start);
  if (files.length === 0) return;
  const { keptAt } = yield* restore(name, start);
  const paths = files.map((file) => file.path).join(", ");
  yield* warn(`The planner may only write the plan, but ${paths} changed. That was put back; it is kept at ${keptAt}.`);
}

function* written(path: string, plan: Plan): Flow<Plan> {
  const tasks = plan.tasks.map((task) => ({ id: `${task.id}`, title: task.title }));
  yield* record({ type: "plan.written", path, tasks });
  return plan;
}
