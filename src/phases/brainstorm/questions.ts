// The questions of a brainstorm, as the person sees them.

import type { Option, Question } from "../../core/flow/question.ts";
import type { Approach, Approaches, BrainstormQuestion, Section } from "../../core/plan/brainstorm.ts";
import { otherApproach } from "../../core/plan/brainstorm.ts";
import { sectionText } from "../../core/plan/design-document.ts";
import { count } from "../../core/text/format.ts";

/** What a person can say to any question instead of answering it. */
export const judgment = "Use your best judgment";
export const extras = { other: "other", judgment: "judgment", back: "back", discuss: "discuss" } as const;
/** The same in a line that is typed. */
export const typedBack = "<";
export const typedDiscuss = "?";

/** What an empty line means where the person chose to use their own words. */
const backToQuestion = "Back to the question";
const mayGoBack = { default: backToQuestion } as const;
const emptyGoesBack = "(Leave it empty to go back to the question.)";

/** The person would rather answer the question itself. */
export function isBackToQuestion(said: string): boolean {
  return [backToQuestion, typedBack].includes(said.trim());
}

export interface QuestionPosition {
  readonly number: number;
  readonly total: number;
  /** Shown above the question: what a discussion came to. */
  readonly note?: string;
}

/** The model's own options come first, so that their numbers do not depend on ours. */
export function interviewQuestion(
  question: BrainstormQuestion,
  { number, total, note = "" }: QuestionPosition,
): Question {
  const common = {
    id: `brainstorm.question.${number}`,
    title: `Question ${number} of ${total}`,
    modelMayAnswer: true,
  } as const;
  const message = `${note === "" ? "" : `${note}\n\n`}${question.text}`;
  if (question.type === "choice") {
    const own = question.options.map((label, index) => ({ key: `${index + 1}`, label }));
    const best = question.options.indexOf(question.recommended ?? "") + 1;
    const options = [...own, ...extraOptions(number)];
    return { ...common, message, kind: "select", options, ...(best === 0 ? {} : { recommended: `${best}` }) };
  }
  return {
    ...common,
    message: `${message}\n${inputHelp(number)}`,
    kind: "input",
    ...(question.placeholder ? { placeholder: question.placeholder } : {}),
    default: judgment,
  };
}

function extraOptions(number: number): readonly Option[] {
  return [
    { key: extras.other, label: "Other", hint: "answer in your own words" },
    { key: extras.judgment, label: judgment },
    ...(number === 1
      ? []
      : [{ key: extras.back, label: "Go back", hint: "answer the question before this one again" }]),
    { key: extras.discuss, label: "Discuss", hint: "ask something before you answer" },
  ];
}

function inputHelp(number: number): string {
  const back = number === 1 ? "" : ` · ${typedBack} goes back`;
  return `(Leave it empty: use your best judgment${back} · ${typedDiscuss} and your words: discuss it first)`;
}

/** The person's own answer to a choice. */
export function ownAnswerQuestion(question: BrainstormQuestion, number: number): Question {
  return {
    id: `brainstorm.question.${number}.other`,
    kind: "input",
    title: `Question ${number}: your own answer`,
    message: `${question.text}\n${emptyGoesBack}`,
    ...mayGoBack,
    modelMayAnswer: true,
  };
}

export function discussQuestion(question: BrainstormQuestion, number: number): Question {
  return {
    id: `brainstorm.question.${number}.discuss`,
    kind: "input",
    title: `Discuss question ${number}`,
    message: `${question.text}\nWhat would you like to ask or say? ${emptyGoesBack}`,
    ...mayGoBack,
    modelMayAnswer: true,
  };
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
        return { key: id, label: title, hint: `${summary} (${count(taskEstimate, "task")})` };
      }),
      { key: otherApproach, label: "Other", hint: "describe your own approach" },
    ],
    recommended: recommendation,
    modelMayAnswer: true,
  };
}

const weighed = ({ title, summary, tradeoffs }: Approach): string => `${title}: ${summary}\n  Trade-offs: ${tradeoffs}`;

export const ownApproachQuestion: Question = {
  id: "brainstorm.approach.other",
  kind: "input",
  title: "Choose Approach",
  message: `Describe the approach you want. ${emptyGoesBack}`,
  ...mayGoBack,
  modelMayAnswer: true,
};

export function sectionQuestion(section: Section, number: number, total: number): Question {
  return {
    id: `brainstorm.section.${number}`,
    kind: "select",
    title: `Design Section: ${section.title}${total === 1 ? "" : ` (${number} of ${total})`}`,
    message: `${sectionText(section)}\n\nDoes this section look right?`,
    options: [
      { key: "yes", label: "Yes" },
      { key: "no", label: "No, revise" },
    ],
    recommended: "yes",
  };
}

/** With the text that is to change. */
export function feedbackQuestion(section: Section, number: number): Question {
  return {
    id: `brainstorm.section.${number}.feedback`,
    kind: "input",
    title: `Design Section: ${section.title}`,
    message: `${sectionText(section)}\n\nWhat should change? ${emptyGoesBack}`,
    ...mayGoBack,
  };
}
