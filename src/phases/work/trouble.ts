// An agent that does not do its part: whether it is tried again, and the words for the person. A caller that can offer more than
// another try, such as to skip the task, gets the trouble itself.

import { z } from "zod";
import type { DispatchFailureKind, DispatchOutcome } from "../../core/flow/dispatch.ts";
import { type Flow, record } from "../../core/flow/flow.ts";
import { notUndone } from "../../core/flow/put-back.ts";
import { abortOption, type Option } from "../../core/flow/question.ts";
import { type Matter, matters } from "../../core/run/failure-action.ts";
import { count, duration, firstLine, listed, preview } from "../../core/text/format.ts";
import { type AbortableQuestion, shortAbortOption } from "./ask.ts";
import { escalate, isTriedAgain } from "./respond.ts";

export const Trouble = z.object({
  /** The id of the question about it. */
  id: z.string(),
  title: z.string(),
  message: z.string(),
  /** The same in a few words: how the run ended, if it ends here. */
  short: z.string(),
  /** What it is: that decides whether there is another try without the person. */
  matter: z.enum(matters),
});
export type Trouble = z.infer<typeof Trouble>;

export type Finished = Extract<DispatchOutcome, { readonly status: "finished" }>;
export type FailedOutcome = Extract<DispatchOutcome, { readonly status: "failed" }>;

/** A step that is an agent's. */
export interface AgentStep {
  /** Where this is, such as `brainstorm.scout`: how its questions are named. */
  readonly step: string;
  readonly role: string;
  /** The caller asks the person itself when no try helps: it ends with `GaveUp`. */
  readonly mayGiveUp?: boolean;
}

/** Unwinds an order that `mayGiveUp` to its caller. */
export class GaveUp extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble.short);
    this.name = "GaveUp";
    this.trouble = trouble;
  }
}

/** What came of work whose agents may give up. */
export type Attempt<T> = { readonly value: T } | { readonly trouble: Trouble };

export function* attempt<T>(work: Flow<T>): Flow<Attempt<T>> {
  try {
    return { value: yield* work };
  } catch (error) {
    if (error instanceof GaveUp) return { trouble: error.trouble };
    throw error;
  }
}

/** A first answer and two more. */
const triesBeforeAsking = 3;

/** Whether an agent that has failed so often since the person last decided is tried again without them. */
export function isAgentTriedAgain(matter: Matter, failures: number): Flow<boolean> {
  return isTriedAgain({ matter, retries: failures - 1, left: triesBeforeAsking - failures });
}

/** Returns when there is to be another try: how many without the person there were since they last decided. */
export function* retryOrAsk(order: AgentStep, trouble: Trouble, retries: number, told: string): Flow<number> {
  if (!(yield* isAgentTriedAgain(trouble.matter, retries + 1))) return yield* retryOrAbort(order, trouble);
  if (told !== "") yield* record({ type: "warning", text: told });
  return retries + 1;
}

/** Returns when the person wants another try. Never recommended: a run without a person pauses here. */
export function* retryOrAbort({ step, mayGiveUp = false }: AgentStep, trouble: Trouble): Flow<0> {
  if (mayGiveUp) throw new GaveUp(trouble);
  const abort = trouble.id.endsWith(".unparsable") ? shortAbortOption : abortOption;
  const question = { ...ofTrouble(trouble, [plainRetry]), abort };
  yield* escalate(trouble.matter, question, { ended: endedAfter(trouble), step });
  return 0;
}

export const plainRetry: Option<"retry"> = { key: "retry", label: "Retry" };

export function ofTrouble<W extends string>(
  { id, title, message }: Trouble,
  options: readonly Option<W>[],
): AbortableQuestion<W> {
  return { id, title, message, options };
}

export const endedAfter = ({ short }: Trouble): string => `the person ended the run after ${short}`;

export function failedTrouble({ step, role }: AgentStep, outcome: FailedOutcome): Trouble {
  const { kind, detail } = outcome;
  return {
    id: `${step}.failed`,
    title: `Agent Error: ${role}`,
    message: failureText(role, outcome),
    short: `${role} failed (${kind})${detail === "" ? "" : `: ${preview(firstLine(detail), 500)}`}`,
    matter: matterOf[kind],
  };
}

export function touchedTrouble({ step, role }: AgentStep, outcome: Finished): Trouble {
  const message = touchedText(role, outcome);
  return {
    id: `${step}.touched`,
    title: `Agent Error: ${role}`,
    message,
    short: `${role} could not be used: ${message}`,
    matter: "reader-wrote",
  };
}

export function unparsableTrouble(
  { step, role }: AgentStep,
  { problem, output, tries }: { readonly problem: string; readonly output: string; readonly tries: number },
): Trouble {
  return {
    id: `${step}.unparsable`,
    title: "Parse Error",
    message: [
      `Could not parse ${role} output. Raw:`,
      preview(output, 300),
      `Problem: ${problem}`,
      `It was asked ${count(tries, "time")}.`,
    ].join("\n"),
    short: `${role} could not be used: ${preview(firstLine(problem), 500)}`,
    matter: "parse-error",
  };
}

export function touchedText(
  role: string,
  { touched, restored, around }: Pick<Finished, "touched" | "restored" | "around">,
): string {
  const where = listed(touched);
  const lasting = around === undefined ? [] : notUndone(around);
  const isAll = touched.every((path) => lasting.includes(path));
  const undone = isAll
    ? "That could not be undone"
    : `That was undone${lasting.length === 0 ? "" : `, except ${listed(lasting)}`}`;
  if (restored) return `${role} may only read, but changed ${where}. ${undone}, and its answer is not used.`;
  return `While ${role} was reading, ${where} changed, by another process or by you. Its answer is not used. Leave the tree alone while it reads.`;
}

function failureText(role: string, { kind, detail, output, retryAfterMs }: FailedOutcome): string {
  const wait = retryAfterMs === undefined ? "" : ` The provider asks to wait ${duration(retryAfterMs)}.`;
  return [
    `${role} agent failed (${kind}).`,
    detail === "" ? "" : `Error: ${detail}`,
    output === "" || detail.includes(output.trim()) ? "" : `Output preview: ${preview(output, 500)}`,
    `${advice[kind]}${wait}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Against a login, an account or a provider without time another try at once does not help. */
const matterOf: Readonly<Record<DispatchFailureKind, Matter>> = {
  auth: "provider-refused",
  billing: "provider-refused",
  "rate-limited": "provider-refused",
  overloaded: "provider-refused",
  unreachable: "provider-refused",
  "wrong-model": "provider-refused",
  "over-budget": "provider-refused",
  "timed-out": "tool-timeout",
  stuck: "tool-timeout",
  crashed: "impl-crash",
  aborted: "impl-crash",
};

const otherModel = "pause here (Escape) and continue with `superteam resume --model provider/id`";
const busyAdvice = `Wait a little, then choose Retry; or ${otherModel}.`;
const moreTime = (key: string): string =>
  `Choose Retry; or give the role more time (agents.<role>.${key} in your own configuration, ~/.config/superteam/config.json).`;

const advice: Readonly<Record<DispatchFailureKind, string>> = {
  auth: "Log in to the provider again, or set its key, then choose Retry.",
  billing: `Add credit at the provider, then choose Retry; or ${otherModel}.`,
  "rate-limited": busyAdvice,
  overloaded: busyAdvice,
  unreachable: `Check the network and the provider's address, then choose Retry; or ${otherModel}.`,
  "timed-out": moreTime("timeoutMinutes"),
  stuck: moreTime("stuckMinutes"),
  "wrong-model": `Name a model as pi lists it (superteam doctor): ${otherModel}.`,
  "over-budget": "Raise the limit, then choose Retry.",
  crashed: "Choose Retry; `superteam log` shows what led to it.",
  aborted: "Choose Retry to start it again.",
};
