// The planner's messages: write the plan's document, and revise it.

import type { PlanScope } from "../core/plan/parts.ts";
import type { Leave } from "../core/plan/revision.ts";
import type { Config } from "../core/run/config.ts";
import { fenced } from "../core/text/block.ts";
import { planScope } from "./part.ts";
import { begunText, bullets, goalText, onceMore, section, sections, step } from "./parts.ts";

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
    facts(brief),
    step("write the plan", `Write it with your write tool to exactly \`${brief.path}\`. ${steps[brief.tdd]}.`),
  );
}

const steps: Readonly<Record<Config["tdd"], string>> = {
  required:
    "A task with new tests is built test first: write the failing test, run it, make it pass, run it again, clean up",
  off: "Tests need not come first in this run. A task with new tests has these steps: make the change and write its tests, in either order; run them; clean up",
};

export function revisePlan(brief: DraftBrief, feedback: string): string {
  return sections(
    facts(brief),
    section("What the person says", fenced("", feedback)),
    step(
      "revise",
      `The person read your plan in \`${brief.path}\`. Read it, make the changes they ask for with your edit tool, and leave the rest as it is. ${newTask}`,
    ),
  );
}

function facts({ goal, design, map, part, begun = [] }: PlanBrief): string {
  return sections(
    goalText(goal),
    section("The approved design", fenced("markdown", design)),
    section("The repository, as the scout reports it", map === "" ? "" : fenced("", map)),
    planScope(part),
    begunText(begun),
  );
}

/**
 * A revision of what was found (in words, each with its id) and of what the person says, and of nothing else; either may
 * be empty. The document is patched, not written anew.
 */
export function patchPlan(
  brief: PlanBrief & { readonly decided?: readonly string[] },
  findings: string,
  guidance: string,
  leave: Leave,
): string {
  return sections(
    goalText(brief.goal),
    section("The approved design", fenced("markdown", brief.design)),
    planScope(brief.part),
    section("What the person has decided about the plan", bullets(brief.decided ?? [])),
    section("What was found", findings),
    section("What the person says", guidance === "" ? "" : fenced("", guidance)),
    step(
      "patch",
      `The plan is in \`${brief.path}\`. Read it. ${patchText(findings !== "", guidance !== "")} ${leaveText(leave)}`,
    ),
  );
}

function patchText(isFound: boolean, isSaid: boolean): string {
  if (!isFound)
    return "Apply what the person says in targeted patches, with your edit tool. Do NOT rewrite the entire plan.";
  const [said, referenced] = isSaid ? [" and what the person says", " or named by the person"] : ["", ""];
  return `Apply targeted patches based on review findings${said}, with your edit tool. Do NOT rewrite the entire plan. Only modify sections referenced in findings${referenced}.`;
}

function leaveText({ tasks, mayAdd }: Leave): string {
  const may =
    tasks === "all"
      ? "You may change any task."
      : tasks.length === 0
        ? "No task may change; the header may."
        : `You may change ${tasks.length === 1 ? "task" : "tasks"} ${tasks.join(", ")} and the header; every other task stays as it is, word for word, both under its heading and in the list.`;
  const add = mayAdd ? newTask : "Add no task.";
  return `${may} ${add} Your change is compared with the plan task by task, and rejected as a whole if it goes further.`;
}

/** Ids keep their meaning once the plan has been read. */
const newTask = "A new task gets the next free number; its place in the list says when it is done.";

/** The same patch once more; the document is as it was before the first. */
export function patchAgain(prompt: string, problems: readonly string[]): string {
  const words = "The plan is as it was before. Revise it again, and avoid this.";
  return onceMore(prompt, "your last revision was rejected", bullets(problems), words);
}

/** What the planner wrote is still in the document. */
export function fixPlan(prompt: string, problems: readonly string[]): string {
  const words = "The file is kept. Fix all of these in it with your edit tool; do not write the file again.";
  return onceMore(prompt, "the plan in the file cannot be used", bullets(problems), words);
}

export function planUnwritten(prompt: string, problems: readonly string[]): string {
  return onceMore(prompt, "there is no plan yet", bullets(problems), "Write the file.");
}
