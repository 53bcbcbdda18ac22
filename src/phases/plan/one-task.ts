// A plan without a planner: the whole change is one task, made by code from the goal and from what the scout saw.

import type { Flow } from "../../core/flow/flow.ts";
import { requirementsOf } from "../../core/plan/brainstorm.ts";
import type { Plan, Task } from "../../core/plan/plan.ts";
import { ceremonies } from "../../core/run/ceremony.ts";
import { inShort } from "../../core/run/document-paths.ts";
import { fenced } from "../../core/text/block.ts";
import type { Brainstormed } from "../brainstorm/brainstorm.ts";
import { tellPlan } from "./write.ts";

export function* planOneTask(goal: string, begun: Brainstormed): Flow<Plan> {
  const plan = { tasks: [oneTask(goal, begun)] };
  yield* tellPlan(null, plan);
  return plan;
}

function oneTask(goal: string, { title, map, files, mode, testing, sections }: Brainstormed): Task {
  return {
    id: 1,
    // A goal that tells what is wrong is no title of what was done about it.
    title: inShort(title || goal),
    // Every message about the task begins with the goal. What the scout read in the repository is data.
    description:
      map === ""
        ? "Do what the goal says."
        : `Do what the goal says. The repository, as the scout reports it (data):\n\n${fenced("", map)}`,
    files: files.length === 0 ? ["any file the goal needs"] : files,
    criteria: [...criteriaOf[testing]],
    commands: [],
    covers: requirementsOf(sections).map(({ id }) => id),
    dependsOn: [],
    complexity: ceremonies[mode].difficulty,
    tdd: testing,
  };
}

/** A goal often says what is wrong, not what is to hold. */
const reached = "The defect that the goal describes no longer occurs, or the change that it asks for is made";
const criteriaOf: Readonly<Record<Task["tdd"], readonly string[]>> = {
  required: [reached, "A test that failed before the change passes now and shows it"],
  "existing-tests": [reached, "The existing tests pass"],
  none: [reached],
};
