// A plan without a planner: the whole change is one task, made by code from the goal and from what the scout saw.

import type { Flow } from "../../core/flow/flow.ts";
import { requirementsOf } from "../../core/plan/brainstorm.ts";
import type { Plan, Task } from "../../core/plan/plan.ts";
import { ceremonies } from "../../core/run/ceremony.ts";
import { inShort } from "../../core/run/document-paths.ts";
import type { Brainstormed } from "../brainstorm/brainstorm.ts";
import { tellPlan } from "./write.ts";

export function* planOneTask(goal: string, begun: Brainstormed): Flow<Plan> {
  const plan = { tasks: [oneTask(goal, begun)] };
  yield* tellPlan(null, plan);
  return plan;
}

function oneTask(goal: string, { map, files, mode, testing, sections }: Brainstormed): Task {
  return {
    id: 1,
    title: inShort(goal),
    description: map === "" ? goal : `${goal}\n\nWhat a scout found in the repository:\n\n${map}`,
    files: files.length === 0 ? ["whichever files the goal takes"] : files,
    criteria: [...criteriaOf[testing]],
    commands: [],
    covers: requirementsOf(sections).map(({ id }) => id),
    dependsOn: [],
    complexity: ceremonies[mode].difficulty,
    tdd: testing,
  };
}

/** A goal often says what is wrong, not what is to hold. */
const reached = "The defect that the goal describes no longer occurs; if it names a change, that change is made";
const criteriaOf: Readonly<Record<Task["tdd"], readonly string[]>> = {
  required: [reached, "A test that failed before the change passes now and shows it"],
  "existing-tests": [reached, "The existing tests pass"],
  none: [reached],
};
