// The design as a document: what was agreed, section by section, with the requirements each states.

import type { DecidedQuestion, Section } from "./brainstorm.ts";
import type { Part } from "./triage.ts";

export interface AgreedDesign {
  readonly goal: string;
  readonly answers: readonly DecidedQuestion[];
  readonly approach: string;
  readonly parts?: readonly Part[];
  readonly sections: readonly Section[];
}

export function designDocument({ goal, answers, approach, parts = [], sections }: AgreedDesign): string {
  const lines = parts.map(({ title, scope }, index) => `${index + 1}. **${title}**: ${scope}`);
  const decided = answers.map(decision).join("\n");
  return `${[
    `# Design: ${goal.trim().split(/\s+/).join(" ")}`,
    decided === "" ? "" : `## Decisions\n\n${decided}`,
    approach === "" ? "" : `## Approach\n\n${approach}`,
    parts.length === 0 ? "" : `## Parts\n\n${lines.join("\n")}`,
    ...sections.map(sectionText),
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}

/** With what was said about it: the answer alone does not tell what was agreed on. */
function decision({ question, answer, talk = [] }: DecidedQuestion): string {
  const said = talk.map(
    ({ topic, reply }) => `\n  - The person: ${inItem(topic)}\n  - The brainstormer: ${inItem(reply)}`,
  );
  return `- ${question}\n  **${answer}**${said.join("")}`;
}

const inItem = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ");

/** A section as a person reads it, in the document and in the question that asks for agreement. */
export function sectionText({ title, content, requirements, part }: Section): string {
  const stated = requirements.map((requirement) => `- **${requirement.id}** ${requirement.text}`).join("\n");
  return `## ${title}${part === undefined ? "" : ` (part ${part})`}\n\n${content}${stated === "" ? "" : `\n\n${stated}`}`;
}
