// The smallest part a scripted model can play in a run of the default pipeline: three questions, two approaches, one
// design section, one task that writes one file. Eleven dispatches, none of which says more than it has to.

import { stringify } from "yaml";
import type { ModelPlay, Reaction, Turn } from "../../../src/demo/model/play.ts";
import { answerWith } from "../../../src/demo/model/texts.ts";
import { planPath } from "../../../src/demo/scenario/prompt.ts";
import { scouted } from "../triage.ts";

export const goal = "Write a letter";

/** Answers to every question of the play, in the order in which they are asked. */
export const questionsInOrder = [
  ["triage.mode", "standard"],
  ["brainstorm.question.1", "one"],
  ["brainstorm.question.2", "two"],
  ["brainstorm.question.3", "three"],
  ["brainstorm.approach", "plain"],
  ["brainstorm.section.1", "yes"],
  ["plan.approval", "approve"],
  ["configure.execution", "auto"],
  ["configure.review", "iterative"],
  ["finalize.docs", "no"],
] as const;

export const allAnswers: Readonly<Record<string, string>> = Object.fromEntries(questionsInOrder);

/** `changes` go over what is said, by the prompt's step and the turn: a latency, a fault, another text. */
export function smallPlay(changes: (step: string, turn: number) => Reaction = () => ({}), count = 1): ModelPlay {
  const parts = partsFor(count);
  return (turn) => {
    const step = turn.header?.step ?? "";
    const part = parts[step];
    if (!part) throw new Error(`the small play has no part for the step ${step}`);
    return { ...part(turn), ...changes(step, turn.turn) };
  };
}

const say = (text: string) => (): Reaction => ({ text });
const blocked = (tag: string, value: unknown) => say(answerWith(tag, value));
const passed = blocked("superteam-json", { passed: true, findings: [], summary: "fine" });

/** Writes a file in the first turn and says so in the second. */
function writes(turn: Turn, path: string, content: string): Reaction {
  if (turn.turn > 0) return { text: `${path} is written.` };
  return { text: "I write it.", tools: [{ name: "write", args: { path, content } }] };
}

/** The first letter is `letter.txt`, the second `letter-2.txt`. */
export const letter = (id: number): string => (id === 1 ? "letter.txt" : `letter-${id}.txt`);
const taskOf = (id: number) => ({
  id,
  title: "A letter",
  files: [letter(id)],
  covers: ["R1"],
  criteria: ["It can be read"],
  commands: [`cat ${letter(id)}`],
});
const header = "**Goal:** a letter\n\n**Architecture:** one file\n\n**Tech Stack:** plain text";
function planOf(ids: readonly number[]): string {
  const headings = ids.map((id) => `### Task ${id}: A letter\n\nWrite ${letter(id)}`).join("\n\n");
  return `# Plan\n\n${header}\n\n${headings}\n\n\`\`\`superteam-tasks\n${stringify(ids.map(taskOf))}\`\`\`\n`;
}
const section = {
  id: "s1",
  title: "The letter",
  content: "One letter in letter.txt.",
  requirements: [{ id: "R1", text: "there is a letter" }],
};

type Parts = Readonly<Record<string, (turn: Turn) => Reaction>>;

function partsFor(count: number): Parts {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const plan = planOf(ids);
  return {
    ...commonParts,
    "plan-write/plan": (turn) => writes(turn, planPath(turn.prompt) ?? "no-path.md", plan),
    ...Object.assign({}, ...ids.map(taskParts)),
  };
}

function taskParts(id: number): Parts {
  return {
    [`execute/task-${id}/implement`]: (turn) => writes(turn, letter(id), "Dear reader,\n"),
    [`execute/task-${id}/spec-review`]: passed,
    [`execute/task-${id}/quality-review`]: passed,
  };
}

const commonParts: Parts = {
  "brainstorm/scout": say(scouted("A repository with a README.")),
  "brainstorm/questions": blocked("superteam-brainstorm", {
    type: "questions",
    questions: ["q1", "q2", "q3"].map((id) => ({ id, text: `${id}?`, type: "input" })),
  }),
  "brainstorm/approaches": blocked("superteam-brainstorm", {
    type: "approaches",
    approaches: ["plain", "fancy"].map((id) => ({ id, title: id, summary: id, tradeoffs: "none", taskEstimate: 1 })),
    recommendation: "plain",
    reasoning: "plain is enough",
  }),
  "brainstorm/design": blocked("superteam-brainstorm", { type: "design", sections: [section] }),
  "plan-review/architect/architect-review": passed,
  "plan-review/spec-reviewer/plan-spec-review": passed,
  "finalize/final-review": passed,
};
