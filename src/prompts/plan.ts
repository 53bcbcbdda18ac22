// The planner's prompts: write the plan's document, and revise it.

import type { PlanScope } from "../core/plan/parts.ts";
import { Task } from "../core/plan/plan.ts";
import type { Leave } from "../core/plan/revision.ts";
import type { Config } from "../core/run/config.ts";
import { fenced } from "../core/text/block.ts";
import { contractOf } from "../core/text/contract.ts";
import { planScope } from "./part.ts";
import { begunText, bullets, dataRule, section, sections } from "./parts.ts";

export interface PlanBrief {
  readonly goal: string;
  readonly map: string;
  /** The approved design document. */
  readonly design: string;
  /** Where the plan is to be written. */
  readonly path: string;
  /** The part of the design that this plan is for; unset: all of it. */
  readonly part?: PlanScope;
  /** Files that hold a first attempt at the goal; none when there was none. */
  readonly begun?: readonly string[];
}

export interface DraftBrief extends PlanBrief {
  /** Whether tasks are to be built test first, or with their tests in any order. */
  readonly tdd: Config["tdd"];
}

export function writePlan(brief: DraftBrief): string {
  return sections(
    `Write the implementation plan for an approved design. ${dataRule}`,
    form(brief),
    planScope(brief.part),
    section("Goal", brief.goal),
    section("The approved design", fenced("markdown", brief.design)),
    section("The repository, as the scout reports it", brief.map === "" ? "" : fenced("", brief.map)),
    begunText(brief.begun ?? []),
  );
}

export function revisePlan(brief: DraftBrief, feedback: string): string {
  return sections(
    writePlan(brief),
    section("The person read your plan and wants this changed", fenced("", feedback)),
    `The plan is in \`${brief.path}\`. Read it, keep what was not objected to, and write the whole file again.`,
  );
}

/**
 * A revision of what was found (in words, each with its id) and of what the person says, and of nothing else; either may
 * be empty. The document is patched, not written anew.
 */
export function patchPlan(brief: PlanBrief, findings: string, guidance: string, leave: Leave): string {
  return sections(
    `Revise an implementation plan where it was found wrong. ${dataRule}`,
    `The plan is in \`${brief.path}\`: read it, patch it, and write no other file. Apply targeted patches based on review findings. Do NOT rewrite the entire plan. Only modify sections referenced in findings. Preserve task ids: a number never comes to mean another task.`,
    "Report for each point, by its id, what you changed.",
    section("The form of a plan", taskForm(brief)),
    planScope(brief.part),
    section("Goal", brief.goal),
    section("The approved design", fenced("markdown", brief.design)),
    section("What may change", leaveText(leave)),
    section("What was found", findings),
    section("What the person says", guidance === "" ? "" : fenced("", guidance)),
  );
}

function leaveText({ tasks, mayAdd }: Leave): string {
  const may =
    tasks === "all"
      ? "You may change any task."
      : tasks.length === 0
        ? "No task may change; the header may."
        : `You may change ${tasks.length === 1 ? "task" : "tasks"} ${tasks.join(", ")} and the header; every other task stays as it is, word for word, both under its heading and in the list.`;
  const add = mayAdd
    ? "A new task gets the next free number, and stands in the list where it is to be done."
    : "Add no task.";
  return `${may} ${add} Your change is compared with the plan task by task, and refused as a whole if it goes further.`;
}

/** The same patch once more; the document is as it was before the first. */
export function patchAgain(prompt: string, problems: readonly string[]): string {
  return sections(
    prompt,
    section("Your last revision was refused, and the plan is as it was before", bullets(problems)),
    "Make the revision again, without this.",
  );
}

export function fixPlan(prompt: string, problems: readonly string[]): string {
  return sections(
    prompt,
    section("The plan you wrote cannot be used", bullets(problems)),
    "Mend all of it and write the whole file again.",
  );
}

function form({ path, part, tdd }: DraftBrief): string {
  const { rule, steps } = ways[tdd];
  return `Write it with your write tool to exactly \`${path}\`, and write no other file.

The reader of each task has never seen this project, starts with an empty context and has questionable taste. Leave nothing to guess: exact paths, complete test code, exact commands with the output to expect. DRY, YAGNI, ${rule}. A task is 2 to 5 minutes of work, leaves the project working and is committed alone.

The document has a header of three lines (\`**Goal:**\`, \`**Architecture:**\`, \`**Tech Stack:**\`), then one heading \`### Task N: title\` per task with its steps: ${steps}. It ends with a YAML list of all tasks, in a fence of four backticks tagged \`superteam-tasks\`. The fields of a task:

${fenced("", contractOf(Task))}

${coverage(part)}`;
}

const ways: Readonly<Record<Config["tdd"], { readonly rule: string; readonly steps: string }>> = {
  required: { rule: "test first", steps: "write the failing test, run it, make it pass, run it, clean up" },
  off: { rule: "tests in whatever order", steps: "make the change, write its tests, run them, clean up" },
};

function coverage(part: PlanScope | undefined): string {
  const whole = part === undefined ? "the design" : "this part";
  return `The list is all that the implementer is given: a description says everything its task needs. Every requirement of ${whole} is covered by some task, and no task does more than ${whole}.`;
}

function taskForm({ part }: PlanBrief): string {
  return `Every task has a heading \`### Task N: title\` with its steps, and an entry in the YAML list tagged \`superteam-tasks\`; both say the same. The fields of an entry:

${fenced("", contractOf(Task))}

${coverage(part)}`;
}
