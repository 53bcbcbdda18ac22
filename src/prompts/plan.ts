// The planner's prompts: write the plan's document, and revise it.

import type { PlanScope } from "../core/plan/parts.ts";
import type { Leave } from "../core/plan/revision.ts";
import type { Config } from "../core/run/config.ts";
import { fenced } from "../core/text/block.ts";
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
    `The plan is in \`${brief.path}\`. Read it, change what the person wants with your edit tool, and keep the rest as it is. Do not write the whole file again.`,
  );
}

/**
 * A revision of what was found (in words, each with its id) and of what the person says, and of nothing else; either may
 * be empty. The document is patched, not written anew.
 */
export function patchPlan(brief: PlanBrief, findings: string, guidance: string, leave: Leave): string {
  return sections(
    `Revise an implementation plan where it was found wrong. ${dataRule}`,
    `The plan is in \`${brief.path}\`: read it, patch it with your edit tool, and write no other file. Apply targeted patches based on review findings. Do NOT rewrite the entire plan. Only modify sections referenced in findings. Preserve task ids: a number never comes to mean another task.`,
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

/** What the planner wrote is still in the document. */
export function fixPlan(prompt: string, problems: readonly string[]): string {
  return sections(
    prompt,
    section("The plan in the file cannot be used", bullets(problems)),
    "Your work is kept. Fix all of this in the file with your edit tool; do not write the file again.",
  );
}

export function planUnwritten(prompt: string, problems: readonly string[]): string {
  return sections(prompt, section("There is no plan yet", bullets(problems)), "Write the file.");
}

function form({ path, part, tdd }: DraftBrief): string {
  const { rule, steps } = ways[tdd];
  return `Write it with your write tool to exactly \`${path}\`, and write no other file.

The reader of each task has never seen this project, starts with an empty context and has questionable taste. Leave nothing to guess: exact paths, complete test code, exact commands with the output to expect. DRY, YAGNI, ${rule}. A task is 2 to 5 minutes of work, leaves the project working and is committed alone.

The document has a header of three lines (\`**Goal:**\`, \`**Architecture:**\`, \`**Tech Stack:**\`), then one heading \`### Task N: title\` per task. Below it stands all that the implementer is told about the task, and nowhere else; its steps: ${steps}.

${blockForm}

${coverage(part)}`;
}

/** What code reads of a plan; tests read it as one. */
export const blockExample = `- id: 1
  title: "Token bucket"
  files: ["src/bucket.ts", "test/bucket.test.ts"]
  criteria:
    - "\`take()\` returns false for the sixth call within a second"
  covers: ["R1"]
  dependsOn: []
  complexity: "medium"
  tdd: "required"
  commands: ["npm test -- bucket"]`;

const blockForm = `The document ends with one list of all tasks, for code. It repeats nothing of the text. Put every text in double quotes:

\`\`\`\`superteam-tasks
${blockExample}
\`\`\`\`

files: every file the task creates or changes. criteria: what must hold when it is done, each provable. covers: ids of the design's requirements. dependsOn: ids of earlier tasks. complexity: easy, medium or hard. tdd: required, or existing-tests, or none if there is nothing to test. commands: what shows that it works.`;

const ways: Readonly<Record<Config["tdd"], { readonly rule: string; readonly steps: string }>> = {
  required: { rule: "test first", steps: "write the failing test, run it, make it pass, run it, clean up" },
  off: { rule: "tests in whatever order", steps: "make the change, write its tests, run them, clean up" },
};

function coverage(part: PlanScope | undefined): string {
  const whole = part === undefined ? "the design" : "this part";
  return `Every requirement of ${whole} is covered by some task, and no task does more than ${whole}.`;
}

function taskForm({ part }: PlanBrief): string {
  return `Every task has a heading \`### Task N: title\`. What stands below it is all that the implementer is told about the task.

${blockForm}

${coverage(part)}`;
}
