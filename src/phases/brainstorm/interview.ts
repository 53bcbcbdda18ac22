// The questions of a brainstorm, one at a time. Each answer is recorded the moment it is given; until the last one is,
// the person can go back, and can talk a question over before answering it.

import { ask, type Flow, record } from "../../core/flow/flow.ts";
import { type BrainstormQuestion, BrainstormQuestions } from "../../core/plan/brainstorm.ts";
import * as prompts from "../../prompts/brainstorm.ts";
import { type Consultation, consult, engage } from "../work/consult.ts";
import {
  discussQuestion,
  extras,
  interviewQuestion,
  judgment,
  type QuestionPosition,
  typedBack,
  typedDiscuss,
} from "./questions.ts";

type Brief = prompts.Brief;

export function* interview(brief: Brief): Flow<Brief["answers"]> {
  yield* record({ type: "brainstorm.step", step: "questions" });
  const { questions } = (yield* consult(
    { ...reader("questions"), prompt: prompts.questions(brief) },
    { tag: "superteam-brainstorm", schema: BrainstormQuestions },
  )).value;
  yield* record({ type: "brainstorm.questions", questions });
  const answers: { question: string; answer: string }[] = [];
  for (let question = questions[0]; question; question = questions[answers.length]) {
    const number = answers.length + 1;
    const said = yield* settle({ ...brief, answers }, question, { number, total: questions.length });
    if (said.kind === "back") {
      answers.pop();
      continue;
    }
    yield* record({ type: "brainstorm.answer", question: question.id, answer: said.answer });
    answers.push({ question: question.text, answer: said.answer });
  }
  return answers;
}

export function reader(name: string): Pick<Consultation, "step" | "name" | "access" | "role"> {
  return { step: `brainstorm.${name}`, name, access: "read", role: "brainstormer" };
}

type Said =
  | { readonly kind: "answer"; readonly answer: string }
  | { readonly kind: "back" }
  /** An empty topic is still to be asked for. */
  | { readonly kind: "discuss"; readonly topic: string };

/** Asks one question until it is answered or left; what a discussion came to stands above it when it is asked again. */
function* settle(
  brief: Brief,
  question: BrainstormQuestion,
  place: QuestionPosition,
): Flow<Exclude<Said, { kind: "discuss" }>> {
  const talk: { topic: string; reply: string }[] = [];
  let note = "";
  for (;;) {
    const said = heard(question, yield* ask(interviewQuestion(question, { ...place, note })));
    if (said.kind === "answer") return said;
    if (said.kind === "back" && place.number > 1) return said;
    if (said.kind === "back") {
      note = "This is the first question: there is none before it.";
      continue;
    }
    const topic = said.topic === "" ? yield* ask(discussQuestion(question, place.number)) : said.topic;
    const order = reader(`discuss-${place.number}`);
    const { text } = yield* engage({ ...order, prompt: prompts.discuss(brief, { question, talk, topic }) });
    note = text.trim() === "" ? "The brainstormer had nothing to say to that." : text.trim();
    talk.push({ topic, reply: note });
  }
}

function heard(question: BrainstormQuestion, said: string): Said {
  return question.type === "choice" ? chosen(question.options, said) : typed(said.trim());
}

function chosen(options: readonly string[], key: string): Said {
  if (key === extras.back) return { kind: "back" };
  if (key === extras.discuss) return { kind: "discuss", topic: "" };
  return { kind: "answer", answer: key === extras.judgment ? judgment : (options[Number(key) - 1] ?? key) };
}

function typed(text: string): Said {
  if (text === typedBack) return { kind: "back" };
  if (text.startsWith(typedDiscuss)) return { kind: "discuss", topic: text.slice(typedDiscuss.length).trim() };
  return { kind: "answer", answer: text };
}
