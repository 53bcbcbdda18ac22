// A run of twenty tasks in which everything happens that can happen to a task: fix rounds for each kind of reason,
// a retry, a rollback and a skip that the person decides, a task that changes nothing, agents that commit by themselves,
// and a person who leaves in the middle and comes back with another configuration.

import { writeFileSync } from "node:fs";
import type { Script, ScriptedPlay } from "../../../src/adapters/agents/scripted/script.ts";
import { globalConfig, goOn, type Lived, makeRepository, type PipelineRun } from "./run.ts";
import {
  agreeing,
  answer,
  brainstorming,
  contentReviewers,
  planDocument,
  playFrom,
  review,
  type TaskText,
  writesPlan,
} from "./scripts.ts";

const goal = "Write twenty letters";

export function makeTwentyRepository(root: string): void {
  makeRepository(root, {
    config: { validationCommand: "test ! -e broken.txt", review: { maxTaskReviewCycles: 1 } },
  });
}

/** Lives through the whole story from wherever it is: up to where the person leaves, and on when they are back. */
export async function liveTwenty(options: Omit<PipelineRun, "goal" | "play" | "answers">): Promise<Lived> {
  const scenario = { ...options, goal, play };
  const first = await goOn({ ...scenario, answers: answersBefore });
  if (first.end.how !== "suspended") return first;
  writeFileSync(globalConfig(options.root), JSON.stringify({ review: { optional: ["security-reviewer"] } }));
  return goOn({ ...scenario, answers: { ...answersBefore, ...answersAfter } });
}

const answersBefore: Readonly<Record<string, readonly string[]>> = {
  ...agreeing,
  "execute.task.7.escalation": ["retry"],
  "execute.task.9.escalation": ["skip"],
  "execute.task.11.escalation": ["rollback"],
  "execute.task.14.nothing": ["accept"],
  "finalize.fix": ["accept"],
};
/** The question at which the person leaves. */
const answersAfter = { "execute.task.15.escalation": ["retry"] };

const tasks: readonly TaskText[] = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  title: `Letter ${index + 1}`,
  description: `Write ${letter(index + 1)}.`,
  files: [letter(index + 1)],
  criteria: ["The letter is signed"],
  covers: [index < 10 ? "R1" : "R2"],
  dependsOn: index === 9 ? [9] : [],
  complexity: index % 3 === 0 ? "easy" : "medium",
}));

function letter(task: number): string {
  return `letters/${String(task).padStart(2, "0")}.txt`;
}

/** Writes the letter with these words in it. */
function writes(task: number, words: string): Script {
  return { run: `mkdir -p letters && echo 'letter ${task} ${words}' > ${letter(task)}`, text: "Done." };
}

const unsigned = (task: number) =>
  review({
    findings: [
      {
        rule: "missing",
        severity: "high",
        anchor: { file: letter(task), quote: `letter ${task} ` },
        what: `Letter ${task} is not signed.`,
      },
    ],
  });
const stillOpen = (task: number, id = "F1") =>
  review({ resolutions: [{ id, state: "still-open", quote: `letter ${task} ` }] });
const mended = (task: number, id = "F1") =>
  review({ resolutions: [{ id, state: "resolved", quote: `letter ${task} signed` }] });
const nit = (task: number, what: string) => ({
  rule: "style" as const,
  severity: "low" as const,
  anchor: { file: letter(task), quote: `letter ${task} ` },
  what,
});

const at = (task: number, step: string) => `execute/task-${task}/${step}`;

const unusual: Readonly<Record<string, Script>> = {
  // One fix for the spec review, one for the quality review, one for the validation command.
  [at(3, "spec-review 1")]: unsigned(3),
  [at(3, "fix")]: writes(3, "signed"),
  [at(3, "spec-review 2")]: mended(3),
  [at(5, "quality-review 1")]: review({
    findings: [
      { rule: "unclear", severity: "medium", anchor: { requirement: "C1" }, what: "Who signs is unclear." },
      nit(5, "It could be warmer."),
    ],
  }),
  [at(5, "fix")]: writes(5, "signed"),
  [at(5, "quality-review 2")]: mended(5),
  [at(13, "implement")]: { run: `mkdir -p letters && echo 13 > ${letter(13)} && echo oh > broken.txt`, text: "Done." },
  [at(13, "fix")]: { run: "rm broken.txt", text: "Mended." },
  // The first fix does not help; the person has it tried again.
  [at(7, "spec-review 1")]: unsigned(7),
  [at(7, "fix 1")]: writes(7, "crumpled"),
  [at(7, "spec-review 2")]: stillOpen(7),
  [at(7, "fix 2")]: writes(7, "signed"),
  [at(7, "spec-review 3")]: mended(7),
  // Nothing helps: skipped.
  [at(9, "spec-review 1")]: unsigned(9),
  [at(9, "fix")]: writes(9, "crumpled"),
  [at(9, "spec-review 2")]: stillOpen(9),
  // Taken back, with a file beside it, and written anew.
  [at(11, "implement 1")]: {
    run: `mkdir -p letters && echo 'letter 11 ' | tee ${letter(11)} > draft.txt`,
    text: "Done.",
  },
  [at(11, "spec-review 1")]: unsigned(11),
  [at(11, "fix")]: writes(11, "crumpled"),
  [at(11, "spec-review 2")]: stillOpen(11),
  [at(11, "implement 2")]: writes(11, "signed"),
  [at(11, "spec-review 3")]: review(),
  [at(14, "implement")]: { text: "There is nothing to do." },
  // Here the person leaves before they decide.
  [at(15, "spec-review 1")]: unsigned(15),
  [at(15, "fix 1")]: writes(15, "crumpled"),
  [at(15, "spec-review 2")]: stillOpen(15),
  [at(15, "fix 2")]: writes(15, "signed"),
  [at(15, "spec-review 3")]: mended(15),
  [at(17, "security-review/security-review")]: review({
    findings: [{ ...nit(17, "The envelope is not sealed."), rule: "unsafe", severity: "medium" }],
  }),
  [at(18, "implement")]: {
    run: `mkdir -p letters && echo 'letter 18 signed' > ${letter(18)} && git add -A letters && git commit -qm mine`,
    text: "Done, and committed.",
  },
  "finalize/final-review": {
    text: answer("superteam-json", {
      passed: false,
      findings: [
        {
          category: "cross-task",
          severity: "medium",
          anchor: { requirement: "R2" },
          what: "Letters 1 and 2 differ in tone.",
        },
      ],
      resolutions: [],
      summary: "All letters are there.",
    }),
  },
};

const usual: Readonly<Record<string, Script>> = {
  ...contentReviewers,
  ...brainstorming({
    title: "Letters",
    content: "Twenty letters.",
    requirements: [
      { id: "R1", text: "ten letters" },
      { id: "R2", text: "ten more letters" },
    ],
  }),
  "plan-write/plan": writesPlan(goal, planDocument(goal, tasks)),
};

/** Not signed at first. */
const drafts: readonly number[] = [3, 5, 7, 9, 15];
const implementing = Object.fromEntries(
  tasks.map(({ id }) => [at(id, "implement"), writes(id, drafts.includes(id) ? "draft" : "signed")]),
);

const play: ScriptedPlay = playFrom({ ...usual, ...implementing, ...unusual });
