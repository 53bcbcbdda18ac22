// The questions of a brainstorm, one at a time. Each answer is recorded the moment it is given; until the last one is,
// the person can go back, and can talk a question over before answering it.

import type { z } from "zod";
import { ask, type Flow, record } from "../../core/flow/flow.ts";
import {
  type BrainstormQuestion,
  BrainstormQuestions,
  type DecidedQuestion,
  type Talk,
} from "../../core/plan/brainstorm.ts";
import * as prompts from "../../prompts/brainstorm.ts";
import { type Consultation, consult, engage } from "../work/consult.ts";
import type { QuestionPosition } from "./questions.ts";
import {
  discussQuestion,
  extras,
  interviewQuestion,
  isBackToQuestion,
  judgment,
  ownAnswerQuestion,
  typedBack,
  typedDiscuss,
} from "./questions.ts";

type Brief = prompts.Brief;

export function* interview(brief: Brief): Flow<Brief["answers"]> {
  yield* record({ type: "brainstorm.step", step: "questions" });
  const { questions } = yield* askBrainstormer("questions", prompts.questions(brief), BrainstormQuestions);
  yield* record({ type: "brainstorm.questions", questions });
  const answers: DecidedQuestion[] = [];
  for (let question = questions[0]; question; question = questions[answers.length]) {
    const number = answers.length + 1;
    const said = yield* settle({ ...brief, answers }, question, { number, total: questions.length });
    if (said.kind === "back") {
      answers.pop();
      continue;
    }
    yield* record({ type: "brainstorm.answer", question: question.id, answer: said.answer });
    const { answer, talk } = said;
    answers.push({ question: question.text, answer, ...(talk.length === 0 ? {} : { talk }) });
  }
  return answers;
}

const reader = (name: string): Pick<Consultation, "step" | "name" | "access" | "role"> => {
  return { step: `brainstorm.${name}`, name, access: "read", role: "brainstormer" };
};

/** What the brainstormer answers to one of its prompts. */
export function* askBrainstormer<S extends z.ZodType>(name: string, prompt: string, schema: S): Flow<z.output<S>> {
  return (yield* consult({ ...reader(name), prompt }, { tag: "superteam-brainstorm", schema })).value;
}

type Said =
  | { readonly kind: "answer"; readonly answer: string }
  | { readonly kind: "back" }
  /** None of the options: the person's own words are still to be asked for. */
  | { readonly kind: "other" }
  /** An empty topic is still to be asked for. */
  | { readonly kind: "discuss"; readonly topic: string };

/** Asks one question until it is answered or left; what a discussion came to stands above it when it is asked again. */
function* settle(
  brief: Brief,
  question: BrainstormQuestion,
  place: QuestionPosition,
): Flow<{ readonly kind: "back" } | { readonly kind: "answer"; readonly answer: string; readonly talk: Talk }> {
  const talk: { topic: string; reply: string }[] = [];
  let note = "";
  for (;;) {
    const said = heard(question, yield* ask(interviewQuestion(question, { ...place, note })));
    if (said.kind === "answer") return { ...said, talk };
    if (said.kind === "other") {
      const answer = yield* ask(ownAnswerQuestion(question, place.number));
      if (isBackToQuestion(answer)) continue;
      return { kind: "answer", answer, talk };
    }
    if (said.kind === "back" && place.number > 1) return said;
    if (said.kind === "back") {
      note = "This is the first question: there is nothing to go back to.";
      continue;
    }
    const topic = said.topic === "" ? yield* ask(discussQuestion(question, place.number)) : said.topic;
    if (isBackToQuestion(topic)) continue;
    const order = reader(`discuss-${place.number}`);
    const { text } = yield* engage({ ...order, prompt: prompts.discuss(brief, question, talk, topic) });
    note = text.trim() === "" ? "The brainstormer had no reply to that." : text.trim();
    talk.push({ topic, reply: note });
  }
}

/** An option's key, or a line that was typed. */
function heard(question: BrainstormQuestion, said: string): Said {
  const options = question.type === "choice" ? question.options : null;
  const text = options ? said : said.trim();
  if (text === (options ? extras.back : typedBack)) return { kind: "back" };
  if (options && text === extras.other) return { kind: "other" };
  if (options && text === extras.discuss) return { kind: "discuss", topic: "" };
  if (!options && text.startsWith(typedDiscuss))
    return { kind: "discuss", topic: text.slice(typedDiscuss.length).trim() };
  if (!options) return { kind: "answer", answer: text };
  return { kind: "answer", answer: text === extras.judgment ? judgment : (options[Number(text) - 1] ?? text) };
}
