// A model proposes a run, the person starts it (S2): a run that a model's call has begun waits for the person's yes before
// anything of it happens. Who began it is in the first entry of the journal.

import { Failed } from "../../core/flow/failure.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Asides } from "../../engine/asking/asides.ts";
import type { RunHeader } from "../../ports/journal.ts";

export const startQuestionId = "preflight.start";

/** Ends the run when the person says no. Asked once: a resume does not ask again. */
export async function approveStart({ startedBy }: RunHeader, goal: string, desk: Asides): Promise<void> {
  if (startedBy !== "model") return;
  const { answer } = await desk.ask(startQuestion(goal), "1");
  if (answer === "yes") return;
  throw new Failed({ kind: "aborted", step: "preflight", detail: "a model asked for it, and the person said no" });
}

function startQuestion(goal: string): Question {
  return {
    id: startQuestionId,
    kind: "confirm",
    title: "Start this run?",
    message: `A model asks to start a run in this repository. It costs money and makes commits. It should build:\n\n${goal}`,
  };
}
