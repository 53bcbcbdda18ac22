// Questions at which the person may end the run. `abort` is offered last, and means the same everywhere.

import { ask, type Flow, fail } from "../../core/flow/flow.ts";
import { abortOption, type Option } from "../../core/flow/question.ts";

/** One of several ways on, or the end of the run. */
export interface AbortableQuestion {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  /** All but the last one, which ends the run. */
  readonly options: readonly Option[];
  readonly recommended?: string;
  /** Another label for it. */
  readonly abort?: Option;
}

/** For where a whole phase is what the person says no to. */
export const shortAbortOption: Option = { ...abortOption, label: "Abort" };

/** The answer, unless it is to end the run: `detail` then says at what point that was. */
export function* askOrAbort(choice: AbortableQuestion, detail: string, step: string = choice.id): Flow<string> {
  const { abort = abortOption, options, ...question } = choice;
  const answer = yield* ask({ kind: "select", ...question, options: [...options, abort] });
  if (answer === abortOption.key) fail({ kind: "aborted", step, detail });
  return answer;
}
