// What the planner is told: to write the plan's document, and to revise it.

import { fenced } from "../core/block.ts";
import { contractOf } from "../core/contract.ts";
import { Task } from "../core/plan.ts";
import { bullets, dataRule, section, sections } from "./parts.ts";

export interface PlanBrief {
  readonly goal: string;
  readonly map: string;
  /** The approved design document. */
  readonly design: string;
  /** Where the plan is to be written. */
  readonly path: string;
}

export function writePlan(brief: PlanBrief): string {
  return sections(
    `Write the implementation plan for an approved design. ${dataRule}`,
    form(brief.path),
    section("Goal", brief.goal),
    section("The approved design", fenced("markdown", brief.design)),
    section("The repository, as the scout reports it", brief.map === "" ? "" : fenced("", brief.map)),
  );
}

export function revisePlan(brief: PlanBrief, feedback: string): string {
  return sections(
    writePlan(brief),
    section("The person read your plan and wants this changed", fenced("", feedback)),
    `The plan is in \`${brief.path}\`. Read it, keep what was not objected to, and write the whole file again.`,
  );
}

export function mendPlan(prompt: string, problems: readonly string[]): string {
  return sections(
    prompt,
    section("The plan you wrote cannot be used", bullets(problems)),
    "Mend all of it and write the whole file again.",
  );
}

function form(path: string): string {
  return `Write it with your write tool to exactly \`${path}\`, and write no other file.

The reader of each task has never seen this project, starts with an empty context and has questionable taste. Leave nothing to guess: exact paths, complete test code, exact commands with the output to expect. DRY, YAGNI, test first. A task is 2 to 5 minutes of work, leaves the project working and is committed alone.

The document has a header (Goal, Architecture, Tech Stack), then one heading \`### Task N: title\` per task with its steps: write the failing test, run it, make it pass, run it, clean up. It ends with a YAML list of all tasks, in a fence of four backticks tagged \`superteam-tasks\`. The fields of a task:

${fenced("", contractOf(Task))}

The list is all that the implementer is given: a description says everything its task needs. Every requirement of the design is covered by some task, and no task does more than the design.`;
}
