// What a model reads of a run: where it stands, which question waits and who may answer it how.

import type { NumberedOption, Question } from "../../core/flow/question.ts";
import { answersTo, optionsOf, optionText } from "../../core/flow/question.ts";
import { clean, oneLine } from "../../core/text/format.ts";
import { pendingQuestion } from "../../engine/views/fold/shape.ts";
import { statusLines } from "../../engine/views/show/status.ts";
import type { ObservedRun } from "../look/look.ts";

/** How the host speaks to its model. */
export interface ModelSpeech {
  /** What people see, in the host's own commands. */
  readonly wording: (text: string) => string;
  /** How the person decides in the host itself, followed by `or`; empty where they cannot. */
  readonly decideHere: string;
}

export function standingText({ view, owner }: ObservedRun, speech: ModelSpeech, now: number): string {
  const pending = pendingQuestion(view);
  const open = new Map([...view.open].filter(([, { request }]) => request.do !== "ask"));
  const lines = statusLines({ ...view, open }, { now, isAlive: owner !== undefined });
  const life = owner === undefined ? "It is suspended." : `It is running in process ${owner.pid}.`;
  const next = owner === undefined ? goesOn : 'Call this tool with "status" to look again.';
  const last = pending ? questionText(pending.question, speech) : next;
  return [speech.wording(lines.join("\n")), life, "", last].join("\n");
}

/** What came to rest without a question was stopped, by the person or by what they have to see to first. */
const goesOn =
  "No question waits: the run was stopped. Continue it only when the person asks: call this tool without input.";

/** All that is needed to answer it, or to tell the person about it. */
export function questionText(question: Question, speech: Pick<ModelSpeech, "decideHere">): string {
  return [
    `Question ${question.id}: ${oneLine(question.title)}`,
    ...(question.message === "" ? [] : [clean(question.message).trimEnd()]),
    ...answersTo(question).map(optionLine),
    "",
    question.modelMayAnswer ? howToAnswer(question) : whoDecides(speech),
  ].join("\n");
}

function optionLine(option: NumberedOption): string {
  const { number, key, label, isRecommended } = option;
  return `${number}) ${optionText(`${key}: ${label}`, option)}${isRecommended ? " (recommended)" : ""}`;
}

function howToAnswer(question: Question): string {
  const how = optionsOf(question).length > 0 ? "the key, number or label of an option" : "the text of the answer";
  const usual = question.kind === "input" && question.default !== undefined ? question.default : undefined;
  return [
    `To answer, call this tool again with ${how} as its input.`,
    ...(usual === undefined ? [] : [`Unless the person wants something else, answer: ${usual}`]),
    "Answer what you know from the person; ask them what you do not know.",
  ].join("\n");
}

function whoDecides({ decideHere }: Pick<ModelSpeech, "decideHere">): string {
  return [
    "This is the person's decision: a model cannot take it, here or elsewhere.",
    `Tell the person what to decide, and that they can do it ${decideHere}with superteam answer in a terminal of their own.`,
    "Do not do it for them. Stop here, and call this tool again when they say that it is done.",
  ].join("\n");
}
