// Questions at which the person may end the run. `abort` is offered last, and means the same everywhere.

import { ask, type Flow, fail } from "../../core/flow/flow.ts";
import { abortOption, type Option, type Question } from "../../core/flow/question.ts";

/** One of several ways on, or the end of the run. */
export interface AbortableQuestion<K extends string = string> extends Pick<Question, "id" | "title" | "message"> {
  /** All but the last one, which ends the run. */
  readonly options: readonly Option<K>[];
  readonly recommended?: string;
  /** Another label for it. */
  readonly abort?: Option;
}

/** For where a whole phase is what the person says no to. */
export const shortAbortOption: Option = { ...abortOption, label: "Abort" };

/** The key that was chosen, unless it is to end the run: `detail` then says at what point that was. */
export function* askOrAbort<K extends string>(
  { abort = abortOption, options, ...question }: AbortableQuestion<K>,
  detail: string,
  step: string = question.id,
): Flow<K> {
  const answer = yield* ask({ kind: "select", ...question, options: [...options, abort] });
  if (answer === abortOption.key) fail({ kind: "aborted", step, detail });
  const chosen = options.find(({ key }) => key === answer);
  if (!chosen) throw new Error(`${question.id} was answered with "${answer}", which it does not offer`);
  return chosen.key;
}
