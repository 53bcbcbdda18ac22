// What a model reads of a run: what happened, where it stands, which question waits and who may answer it how.

import { addUsage, noUsage, type Usage } from "../../../core/flow/dispatch.ts";
import {
  type NumberedOption,
  numberedOptions,
  optionsOf,
  optionText,
  type Question,
} from "../../../core/flow/question.ts";
import { clean, oneLine } from "../../../core/text/format.ts";
import type { LiveEvent } from "../../../engine/drive/recorder.ts";
import { pendingQuestion } from "../../../engine/views/fold/shape.ts";
import { statusLines } from "../../../engine/views/show/status.ts";
import type { ObservedRun } from "../../../runs/look/look.ts";
import type { Session } from "../host.ts";
import { inPi } from "../wording.ts";

/** What fits into a model's attention. */
const linesKept = 80;

/** What a run told, and what it used, in the course of a call. */
export class Narrative {
  readonly #lines: string[] = [];
  readonly #grown: (text: string) => void;
  #known: string | undefined;
  #used: Usage = noUsage;

  constructor(grown: (text: string) => void) {
    this.#grown = grown;
  }

  /** What need not be told again. */
  know(text: string): void {
    this.#known = text;
  }

  add(text: string): void {
    if (text === this.#known) return;
    this.#lines.push(...clean(inPi(text)).trimEnd().split("\n"));
    this.#grown(this.text());
  }

  see(sight: LiveEvent): void {
    if (sight.type !== "entry" || sight.entry.type !== "note") return;
    const { note } = sight.entry;
    if (note.type === "usage") this.#used = addUsage(this.#used, note.usage);
  }

  get used(): Usage {
    return this.#used;
  }

  text(): string {
    const left = this.#lines.length - linesKept;
    return [...(left > 0 ? [`(${left} lines before this)`] : []), ...this.#lines.slice(-linesKept)].join("\n");
  }
}

type Reach = Pick<Session, "hasUI">;

export function standingText({ view, owner }: ObservedRun, reach: Reach): string {
  const pending = pendingQuestion(view);
  const lines = statusLines({ ...view, questions: new Map() }, { now: Date.now(), isAlive: owner !== undefined });
  const life = owner === undefined ? "It is suspended." : `It goes on in process ${owner.pid}.`;
  const next = owner === undefined ? goesOn : 'Call this tool with "status" to look again.';
  return [inPi(lines.join("\n")), life, "", pending ? questionText(pending.question, reach) : next].join("\n");
}

/** What came to rest without a question was stopped, by the person or by what they have to see to first. */
const goesOn =
  "No question waits: it was stopped. Go on only when the person asks for it, with a call of this tool without input.";

/** All that is needed to answer it, or to tell the person about it. */
export function questionText(question: Question, reach: Reach): string {
  return [
    `Question ${question.id}: ${oneLine(question.title)}`,
    ...(question.message === "" ? [] : [clean(question.message).trimEnd()]),
    ...numberedOptions(question).map(optionLine),
    "",
    question.modelMayAnswer ? howToAnswer(question) : whoDecides(reach),
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
    ...(usual === undefined ? [] : [`Without a wish of the person's, the usual answer is: ${usual}`]),
    "Answer what you know from the person; ask them what you do not know.",
  ].join("\n");
}

function whoDecides({ hasUI }: Reach): string {
  const here = hasUI ? "by typing /workflow in this pi, which asks them, or " : "";
  return [
    "This is the person's decision: a model cannot take it, here or elsewhere.",
    `Tell the person what is to be decided, and that they do it ${here}with superteam answer in a terminal of their own.`,
    "Do not do it for them. Stop here, and call this tool again when they say that it is done.",
  ].join("\n");
}
