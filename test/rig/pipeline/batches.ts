// A run in three parts that build on each other: five letters, planned in three plans.

import type { Script, ScriptedPlay } from "../../../src/adapters/agents/scripted/script.ts";
import { planPath } from "../../../src/core/plan/path.ts";
import type { AgentOrder } from "../../../src/ports/agents.ts";
import { scouted } from "../triage.ts";
import { documentsOf } from "./run.ts";
import {
  agreeing,
  answer,
  brainstorming,
  contentReviewers,
  heredoc,
  planDocument,
  playFrom,
  type TaskText,
} from "./scripts.ts";

export const goal = "Write five letters";
export const paths = documentsOf(goal);

export const parts = ["Vowels", "Consonants", "Others"].map((title) => ({ title, scope: `the ${title} alone` }));

export const answers: Readonly<Record<string, readonly string[]>> = {
  ...agreeing,
  "triage.breadth": ["batches"],
  "brainstorm.section.*": ["yes", "yes", "yes"],
  "plan.approval": ["approve", "approve", "approve"],
  "part.1.next": ["continue"],
  "part.2.next": ["continue"],
};

const sections = parts.map(({ title }, index) => ({
  id: `s${index + 1}`,
  title,
  content: `The ${title}.`,
  requirements: [{ id: `R${index + 1}`, text: `There are ${title}.` }],
  part: index + 1,
}));

/** Letter n is written by task n. */
const letter = (id: number, part: number, more: Partial<TaskText> = {}): TaskText => ({
  id,
  title: `Letter ${id}`,
  description: `Write ${id}.txt.`,
  files: [`${id}.txt`],
  covers: [`R${part}`],
  ...more,
});

const writesPlanOf = (part: number, ...tasks: readonly TaskText[]): Script => ({
  run: heredoc(planPath(paths.plan, part), planDocument(goal, tasks)),
  text: "The plan is written.",
});

export const reassessed = (holds: boolean, reassessment: string): Script => ({
  text: `The letters so far are there.\n\n${answer("superteam-json", { holds, reassessment })}`,
});

const written = [1, 2, 3, 4, 5].map((id): [string, Script] => [
  `part-${id <= 2 ? 1 : id === 3 ? 2 : 3}/execute/task-${id}/implement`,
  { run: `echo ${id} > ${id}.txt`, text: "Done." },
]);

/** The planner of the second part first plans for the third as well, and starts to count anew. */
export const scripts: Readonly<Record<string, Script>> = {
  ...contentReviewers,
  ...brainstorming({ title: "unused", content: "unused", requirements: [] }),
  "brainstorm/scout": { text: scouted("A repository with a README.", { breadth: "batches", parts }) },
  "brainstorm/design": { text: answer("superteam-brainstorm", { type: "design", sections }) },
  "part-1/plan-write/plan": writesPlanOf(1, letter(1, 1), letter(2, 1)),
  "part-2/reassess/scout": reassessed(true, "Nothing is different."),
  "part-2/plan-write/plan 1": writesPlanOf(2, letter(1, 2), letter(2, 3)),
  "part-2/plan-write/plan 2": writesPlanOf(2, letter(3, 2, { dependsOn: [1] })),
  "part-3/reassess/scout": reassessed(true, "Still as planned."),
  "part-3/plan-write/plan": writesPlanOf(3, letter(4, 3), letter(5, 3, { dependsOn: [4] })),
  ...Object.fromEntries(written),
};

/** What everybody does, and the prompts they were given. */
export function batchPlay(more: Readonly<Record<string, Script>> = {}): {
  readonly play: ScriptedPlay;
  readonly orders: AgentOrder[];
} {
  const orders: AgentOrder[] = [];
  const play = playFrom({ ...scripts, ...more });
  return {
    orders,
    play: (order) => {
      orders.push(order);
      return play(order);
    },
  };
}
