// A question nobody is there to answer: it is printed with all one needs to answer it later.

import { optionsOf, type Question } from "../../core/flow/question.ts";
import type { OutputStyle } from "./look.ts";
import { optionLines, questionLines, unansweredLines } from "./transcript.ts";

export function waitingLines(question: Question, look: OutputStyle, why?: string): readonly string[] {
  return [
    "",
    ...questionLines(question, look),
    ...optionLines(question, look),
    look.paint("gray", "│"),
    ...unansweredLines(`${why ?? "Waiting for your answer."}\n${answerCommand(question)}`, look),
  ];
}

function answerCommand(question: Question): string {
  const keys = optionsOf(question).map((option) => option.key);
  const value = keys.length === 0 ? '"<your text>"' : keys.length <= 4 ? `<${keys.join("|")}>` : "<number or key>";
  return `superteam answer ${value} --id ${question.id}`;
}
