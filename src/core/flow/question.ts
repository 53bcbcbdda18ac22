// A question to the person, as data: it is on disk before it is shown, and shown again until it is answered.

import { oneLine } from "../text/format.ts";

export interface Option<K extends string = string> {
  readonly key: K;
  readonly label: string;
  readonly hint?: string;
  /** Other words that mean this option; they are understood, not shown. */
  readonly aliases?: readonly string[];
  /** A text that choosing it at a screen only shows: the question stays open. It is never an answer. */
  readonly shows?: string;
}

/** Ends the run, wherever it is offered. */
export const abortOption: Option = { key: "abort", label: "Abort workflow" };

interface QuestionCommon {
  /** Stable, such as `brainstorm.question.1`: what `--answers` and `superteam answer --id` name. */
  readonly id: string;
  readonly title: string;
  /** Shown above the choice; may be long. */
  readonly message: string;
  /**
   * A model that works for the person may answer it. That is so only where the answer shapes the work and nothing more:
   * never where one approves, waives, trusts, spends, gives up or ends something, nor where one says how much of that
   * is asked. Left out, a question is the person's.
   */
  readonly modelMayAnswer?: true;
  /** Taken where nobody can be asked, by policy. Only for an answer that leaves things as they are; else a run waits. */
  readonly unattended?: string;
}

/** Who decided: the person, a model, a policy of the command line such as `--yes`, or a file of answers. */
export const answerers = ["person", "model", "policy", "file"] as const;
export type Answerer = (typeof answerers)[number];

/** The same in words. */
export const deciders: Readonly<Record<Answerer, string>> = {
  person: "by you",
  model: "by a model",
  policy: "automatically, by a command-line option or because there was no one to ask",
  file: "from the answers file",
};

/** An answer, and who gave it. */
export interface Answered {
  readonly answer: string;
  readonly by: Answerer;
}

/** Why a question is taken away from a person: the answer came from another process. */
export class AnsweredElsewhere {
  readonly answer: string;

  constructor(answer: string) {
    this.answer = answer;
  }
}

/** The answer alone. A person says it as plain text. */
export const answerIn = (said: string | Answered | undefined): string | undefined =>
  typeof said === "object" ? said.answer : said;

/** `recommended` is what `--yes` takes. It is left out where every answer would waive something. */
export type Question =
  | (QuestionCommon & {
      readonly kind: "select";
      readonly options: readonly Option[];
      readonly recommended?: string;
    })
  | (QuestionCommon & { readonly kind: "confirm"; readonly recommended?: "yes" | "no" })
  | (QuestionCommon & {
      readonly kind: "input";
      readonly placeholder?: string;
      readonly default?: string;
      readonly recommended?: string;
      /** A number above this one is asked for. */
      readonly above?: number;
    })
  | (QuestionCommon & { readonly kind: "editor"; readonly prefill: string; readonly recommended?: string });

/** The outcome of a question that was withdrawn. */
export const withdrawn = "withdrawn";

export type Reading = { readonly ok: true; readonly answer: string } | { readonly ok: false; readonly problem: string };

/** What a person's words mean as an answer: an option's key, number or label; yes or no; or the text itself. */
export function readAnswer(question: Question, said: string): Reading {
  if (question.kind === "editor") return { ok: true, answer: said };
  if (question.kind === "input") return readText(question, said);
  const options = optionsOf(question);
  const word = said.trim().toLowerCase();
  const match =
    options.find((option) => option.key.toLowerCase() === word) ??
    options.find((option) => option.label.toLowerCase() === word) ??
    options.find((option) => option.aliases?.includes(word)) ??
    (/^\+?\d+$/.test(word) ? options[Number(word) - 1] : undefined);
  if (match && match.shows === undefined) return { ok: true, answer: match.key };
  const choices = answersTo(question).map((option) => `${option.number}) ${choiceName(option)}`);
  return { ok: false, problem: `"${said}" is not an answer to ${question.id}. Choose one of: ${choices.join(", ")}` };
}

/** By key and label, unless they say the same, or the key is the number that stands before it. */
function choiceName({ number, key, label }: NumberedOption): string {
  if (key === `${number}`) return label;
  return key.toLowerCase() === label.toLowerCase() ? key : `${key} (${label})`;
}

/** Like `readAnswer`, but a model's answer is accepted only if the question allows it. */
export function readAnswerBy(by: Answerer, question: Question, said: string): Reading {
  if (by !== "model" || question.modelMayAnswer) return readAnswer(question, said);
  return { ok: false, problem: `${question.id} is the person's decision: a model cannot answer it.` };
}

/**
 * In the order in which they are counted, wherever numbers are shown: what is recommended comes first, and without a
 * recommendation No before Yes, so that taking the first agrees to nothing.
 */
export function optionsOf(question: Question): readonly Option[] {
  if (question.kind === "confirm") return question.recommended === "yes" ? [yes, no] : [no, yes];
  if (question.kind !== "select") return [];
  const { options, recommended } = question;
  return [...options.filter(({ key }) => key === recommended), ...options.filter(({ key }) => key !== recommended)];
}

/** An option as it is shown: numbered in the order of `optionsOf`, its words fit for one line each. */
export interface NumberedOption {
  readonly number: number;
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly isRecommended: boolean;
  readonly shows?: string;
}

export function numberedOptions(question: Question): readonly NumberedOption[] {
  return optionsOf(question).map(({ key, label, hint = "", shows }, index) => ({
    number: index + 1,
    key,
    label: oneLine(label),
    hint: oneLine(hint),
    isRecommended: key === question.recommended,
    ...(shows === undefined ? {} : { shows }),
  }));
}

/** Those that are answers, away from a screen that could show the text of the others. */
export function answersTo(question: Question): readonly NumberedOption[] {
  return numberedOptions(question).filter(({ shows }) => shows === undefined);
}

/** The question as programs see it: options in the order of their numbers, without texts to page through. */
export function asShown(question: Question): Question {
  if (question.kind !== "select") return question;
  return { ...question, options: optionsOf(question).map(({ shows: _, ...option }) => option) };
}

/** An option in words, under the name by which it is chosen there: `Token bucket — Smooth` */
export function optionText(name: string, { hint }: Pick<NumberedOption, "hint">): string {
  return hint === "" ? name : `${name} — ${hint}`;
}

/** An answer in words: the label of the option that was chosen, or the text. */
export function answerText(question: Question, answer: string): string {
  return optionsOf(question).find(({ key }) => key === answer)?.label ?? answer;
}

const yes: Option = { key: "yes", label: "Yes" };
const no: Option = { key: "no", label: "No" };

function readText(question: Question & { kind: "input" }, said: string): Reading {
  const text = said.trim() === "" ? (question.default ?? "") : said;
  if (text.trim() === "") return { ok: false, problem: `${question.id} needs an answer: type some text.` };
  return question.above === undefined ? { ok: true, answer: text } : readNumber(question.id, text, question.above);
}

/** People write a currency with an amount: it does no harm. */
function readNumber(id: string, text: string, above: number): Reading {
  const [, digits] = /^\$?\s*(\d{1,12}(?:\.\d+)?)\s*(?:\$|usd|dollars?)?$/i.exec(text.trim()) ?? [];
  if (digits !== undefined && Number(digits) > above) return { ok: true, answer: String(Number(digits)) };
  const least = `${id} needs a number above ${Number(above.toFixed(4))}`;
  return { ok: false, problem: `${least}, such as ${Math.ceil(above) + 10}, not "${text}".` };
}
