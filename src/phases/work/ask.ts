// Questions at which the person may end the run. `abort` means the same wherever it is offered.

import { ask, type Flow, fail } from "../../core/flow/flow.ts";
import { abortOption, type Option, type Question } from "../../core/flow/question.ts";

/** The same, where a whole phase is what the person says no to. */
export const shortAbortOption: Option = { ...abortOption, label: "Abort" };

/** The answer, unless it is to end the run: `detail` then says at what point that was. */
export function* askOrAbort(question: Question, detail: string, step: string = question.id): Flow<string> {
  const choice = yield* ask(question);
  if (choice === abortOption.key) fail({ kind: "aborted", step, detail });
  return choice;
}
