// The questions of a brainstorm, as the person sees them.

import {
  type Approach,
  type Approaches,
  type BrainstormQuestion,
  otherApproach,
  type Section,
} from "../core/brainstorm.ts";
import { sectionText } from "../core/design-document.ts";
import type { Question } from "../core/question.ts";

export function interviewQuestion(question: BrainstormQuestion, number: number, total: number): Question {
  const common = {
    id: `brainstorm.question.${number}`,
    title: `Question ${number} of ${total}`,
    message: question.text,
  };
  if (question.type === "choice") {
    const options = question.options.map((label, index) => ({ key: `${index + 1}`, label }));
    return { ...common, kind: "select", options };
  }
  return { ...common, kind: "input", ...(question.placeholder ? { placeholder: question.placeholder } : {}) };
}

export function approachQuestion({ approaches, recommendation, reasoning }: Approaches): Question {
  const best = approaches.find((approach) => approach.id === recommendation);
  return {
    id: "brainstorm.approach",
    kind: "select",
    title: "Choose Approach",
    message: [...approaches.map(weighed), `Recommended: ${best?.title ?? recommendation}. ${reasoning}`].join("\n"),
    options: [
      ...approaches.map(({ id, title, summary, taskEstimate }) => {
        return { key: id, label: title, hint: `${summary} (${taskEstimate} ${taskEstimate === 1 ? "task" : "tasks"})` };
      }),
      { key: otherApproach, label: "Other", hint: "describe your own approach" },
    ],
    recommended: recommendation,
  };
}

const weighed = ({ title, summary, tradeoffs }: Approach): string => `${title}: ${summary}\n  Trade-offs: ${tradeoffs}`;

export const ownApproachQuestion: Question = {
  id: "brainstorm.approach.other",
  kind: "input",
  title: "Choose Approach",
  message: "Describe the approach you want.",
};

export function sectionQuestion(section: Section, number: number, total: number): Question {
  return {
    id: `brainstorm.section.${number}`,
    kind: "select",
    title: `Design Section: ${section.title}`,
    message: `${sectionText(section)}\n\nDoes this section look right? (${number} of ${total})`,
    options: [
      { key: "yes", label: "Yes" },
      { key: "no", label: "No, revise" },
    ],
    recommended: "yes",
  };
}

export function feedbackQuestion(section: Section, number: number): Question {
  return {
    id: `brainstorm.section.${number}.feedback`,
    kind: "input",
    title: `Design Section: ${section.title}`,
    message: "What should change?",
  };
}
