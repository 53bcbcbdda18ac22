// superteam answer: answers the pending question, then goes on.

import type { Answerer } from "../../../core/flow/question.ts";
import * as runs from "../../../runs/answer.ts";
import type { Watching } from "../../../runs/host.ts";
import { type Asking, hostOf } from "../people.ts";
import { say } from "../say.ts";

export async function answer(options: runs.AnswerOptions & Asking, watching: Watching | undefined): Promise<number> {
  const by = whoseWords();
  if (by === "model") say("A model of pi runs this command (PI_SESSION_ID is set): the answer counts as a model's.");
  return runs.answer({ by, ...options }, await hostOf(options, watching));
}

/** pi tells what its model runs in a shell of which session that is, and does not tell what a person runs there. */
function whoseWords(): Answerer {
  return process.env["PI_SESSION_ID"] === undefined ? "person" : "model";
}
