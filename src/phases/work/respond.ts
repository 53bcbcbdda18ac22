// The one way from a failure to the person. Every phase that handles a failure comes here; one function of values decides what is
// done about it (core/run/failure-action.ts).

import { config, type Flow, record } from "../../core/flow/flow.ts";
import { isSettable, type Matter, type Met, type Response, respondTo } from "../../core/run/failure-action.ts";
import { count } from "../../core/text/format.ts";
import { type AbortableQuestion, askOrAbort } from "./ask.ts";

/** What is done about it, by the configuration of this moment: it is asked for only when something can be set. */
function* respond(met: Met): Flow<Response> {
  return respondTo(met, isSettable(met.matter) ? (yield* config()).failureActions : {});
}

/** Whether it is tried again without the person. */
export function* isTriedAgain(met: Met): Flow<boolean> {
  return (yield* respond(met)).do === "retry";
}

/** What the work has changed. */
export type ShowDiff = () => string | Flow<string>;

/** How the run ended if the person ends it here, and what was changed. */
export interface Escalated {
  readonly ended: string;
  /** The step that failed; unset: the question's id. */
  readonly step?: string;
  /** Asked for only if it is to be shown. */
  readonly diff?: ShowDiff;
}

/** Puts a failure to the person: no further try helps, or none is wanted. */
export function* escalate<K extends string>(
  matter: Matter,
  question: AbortableQuestion<K>,
  { ended, step = question.id, diff }: Escalated,
): Flow<K> {
  const response = yield* respond({ matter, retries: 0, left: 0 });
  if (response.do !== "ask" || !response.showsDiff || diff === undefined)
    return yield* askOrAbort(question, ended, step);
  const shown = diff();
  const message = `${question.message}\n${changedText(typeof shown === "string" ? shown : yield* shown)}`;
  return yield* askOrAbort({ ...question, message }, ended, step);
}

const linesShown = 60;

function changedText(diff: string): string {
  const lines = diff.split("\n");
  const cut = lines.length > linesShown ? [`(${count(lines.length - linesShown, "more line")})`] : [];
  return ["What was changed:", ...lines.slice(0, linesShown), ...cut].join("\n");
}

/** What stops nothing by itself: it is passed over, told, or put to the person, who may end the run. */
export function* pass(matter: Matter, notice: Pick<AbortableQuestion, "id" | "title" | "message">): Flow<void> {
  const response = yield* respond({ matter, retries: 0, left: 0 });
  if (response.do === "continue") {
    if (response.isTold) yield* record({ type: "warning", text: notice.message });
    return;
  }
  const question = { ...notice, options: [{ key: "continue", label: "Continue" }] };
  yield* askOrAbort(question, `the person ended the run at the question "${notice.title}"`);
}
