// Answers the questions of the small play through pi's dialogs, as they are shown there. Which question a dialog is
// stands in the journal: a question is on disk before it is shown.

import assert from "node:assert/strict";
import { optionsOf, type Question } from "../../../src/core/flow/question.ts";
import { viewOf } from "../../../src/engine/views/fold/run-view.ts";
import { pendingQuestion } from "../../../src/engine/views/fold/shape.ts";
import type { Cli } from "../cli/cli.ts";
import { allAnswers } from "../cli/small-play.ts";
import type { PiSession, Shown } from "./session.ts";

const answers: Readonly<Record<string, string>> = {
  "preflight.start": "yes",
  "preflight.trust": "trust",
  ...allAnswers,
};
/** Of a run that the person starts. */
export const questionCount = Object.keys(answers).length - 1;

export async function pending(cli: Cli): Promise<Question> {
  const question = pendingQuestion(viewOf(await cli.entries()))?.question;
  assert.ok(question, "a question is on disk before it is shown");
  return question;
}

/** Answers the dialog that is shown, and gives the question's id. */
export async function answer(pi: PiSession, cli: Cli, dialog: Shown): Promise<string> {
  const question = await pending(cli);
  assert.ok(dialog.title?.startsWith(question.title), `${dialog.title} is ${question.id}`);
  const said = answers[question.id] ?? assert.fail(`the small play has no answer to ${question.id}`);
  const chosen = optionsOf(question).find(({ key }) => key === said)?.label ?? said;
  pi.answer(dialog, dialog.options?.find((option) => option.startsWith(chosen)) ?? said);
  return question.id;
}

/** Says yes to the run that a model's call asks for. */
export async function allowStart(pi: PiSession, cli: Cli): Promise<void> {
  assert.equal(await answer(pi, cli, await pi.dialog()), "preflight.start");
}

/** Answers so many questions as they come. */
export async function answerAll(pi: PiSession, cli: Cli, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await answer(pi, cli, await pi.dialog()));
  return ids;
}
