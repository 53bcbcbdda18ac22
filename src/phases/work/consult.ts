// The one way a phase turns to an agent. An agent that fails, answers in a form that cannot be read, or writes where
// it may only read, is tried again as far as that can help; then the person decides. Each try is a dispatch of its own.
// That a provider is busy says nothing about the work: it is waited for, and other models are tried, before anyone is
// asked.

import type { z } from "zod";
import type { DispatchFailureKind, DispatchOutcome } from "../../core/flow/dispatch.ts";
import { config, type DispatchRequest, dispatch, type Flow, record, wait } from "../../core/flow/flow.ts";
import { putBackTexts, readerTexts } from "../../core/flow/put-back.ts";
import { type AnswerTag, readAgreedBlocks, readAnswerBlock, type UnreadAnswer } from "../../core/text/answer.ts";
import { duration, firstLine, preview } from "../../core/text/format.ts";
import { again, inForm } from "../../prompts/parts.ts";
import type { AgentStep, FailedOutcome, Finished } from "./trouble.ts";
import { failedTrouble, retryOrAsk, touchedText, touchedTrouble, unparsableTrouble } from "./trouble.ts";

export type Consultation = AgentStep & Omit<DispatchRequest, "do" | "model">;

/** How long a busy provider is left alone before each further try, unless it says itself. */
const pausesMs = [5_000, 15_000, 30_000];

/** A provider that asks for more patience than this is not sat out: the run is suspended. */
const patienceMs = 10 * 60_000;

/** No quota takes longer than a week to come back; a day more, for clocks that differ. */
const believableMs = 8 * 24 * 3_600_000;

/** A quota that is still used up after so many waits is the person's to think about. */
const longWaits = 3;

/** Gets an answer that fits the schema; `said` are all answers: one that was only put into form has no words of its own. Of one that `decides` something all blocks must agree; else the last counts. */
export function* consult<S extends z.ZodType>(
  order: Consultation,
  answer: { readonly tag: AnswerTag; readonly schema: S; readonly decides?: true },
): Flow<{ readonly value: z.output<S>; readonly outcome: Finished; readonly said: readonly string[] }> {
  let prompt = order.prompt;
  const said: string[] = [];
  for (let tries = 1, retries = 0; ; tries++) {
    const outcome = yield* engage({ ...order, prompt });
    said.push(outcome.text);
    const readAnswer = answer.decides ? readAgreedBlocks : readAnswerBlock;
    const reading = readAnswer(outcome.text, answer.tag, answer.schema);
    if (reading.ok) {
      if (reading.blocks > 1)
        yield* warn(`${order.role} gave ${reading.blocks} answers in one message; the last one is used.`);
      return { value: reading.value, outcome, said };
    }
    const { problem } = reading;
    const trouble = unparsableTrouble(order, { problem, output: outcome.text, tries });
    const told = `The ${order.role}'s answer could not be used, so it is asked again: ${preview(firstLine(problem), 500)}`;
    retries = yield* retryOrAsk(order, trouble, retries, told);
    prompt = askAgain(order.prompt, { ...reading, answer: outcome.text, isRepeated: prompt !== order.prompt });
  }
}

/** What only lacks its form is asked for in that form, once; then the work is done again. */
export function askAgain(
  prompt: string,
  {
    answer,
    problem,
    isForm,
    isRepeated,
  }: Pick<UnreadAnswer, "problem" | "isForm"> & { answer: string; isRepeated: boolean },
): string {
  return isForm && !isRepeated && answer.trim() !== "" ? inForm(answer, problem) : again(prompt, problem);
}

/** Gets an agent to finish, whatever it says. */
export function* engage(order: Consultation): Flow<Finished> {
  const { role } = order;
  for (let failed = 0, meddled = 0; ; ) {
    const outcome = yield* persist(order);
    if (outcome.status === "failed") {
      const trouble = failedTrouble(order, outcome);
      failed = yield* retryOrAsk(order, trouble, failed, `${trouble.short}. It is started again.`);
      continue;
    }
    if (outcome.touched.length === 0) return outcome;
    yield* warn(touchedText(role, outcome));
    meddled = yield* retryOrAsk(order, touchedTrouble(order, outcome), meddled, "");
  }
}

/** Dispatches until a provider has time for it: with pauses, then with each fallback model, then when its quota is back. */
export function* persist(order: Consultation): Flow<DispatchOutcome> {
  for (let waits = 0; ; waits++) {
    const busy = yield* sendPatiently(order);
    if (!isBusy(busy)) return busy;
    const outcome = yield* fallBack(order, busy);
    const ms = busy.retryAfterMs;
    if (outcome.status === "finished" || waits === longWaits || !isWorthSuspending(ms)) return outcome;
    yield* warn(
      `${order.role}: the quota of ${busy.model ?? "the model"} is used up and resets in ${duration(ms)}. Nothing starts until then. \`superteam resume --wait\` waits for it; \`superteam resume --model provider/id\` uses another model now.`,
    );
    yield* wait({ name: "quota", ms, ...until(busy), away: true });
  }
}

/** A busy provider is left alone for a while, a few times. */
function* sendPatiently(order: Consultation): Flow<DispatchOutcome> {
  let outcome = yield* send(order);
  for (const pause of pausesMs) {
    if (!isBusy(outcome)) return outcome;
    const ms = outcome.retryAfterMs ?? pause;
    if (ms < 0 || ms > patienceMs) return outcome;
    yield* warn(`${order.role}: ${busyText[outcome.kind]}. Trying again in ${duration(ms)}.`);
    yield* wait({ name: order.name, ms, ...until(outcome) });
    outcome = yield* send(order);
  }
  return outcome;
}

/** The time a provider names passes for all who ask it, whenever each begins to wait. */
function until({ retryAt }: FailedOutcome): { readonly until?: number } {
  return retryAt === undefined ? {} : { until: retryAt };
}

/** Between what is sat out and what nobody can mean. */
function isWorthSuspending(ms: number | undefined): ms is number {
  return ms !== undefined && ms > patienceMs && ms <= believableMs;
}

/** The configuration is asked for only here, so that a run in which all goes well has no record of it. */
function* fallBack(order: Consultation, busy: FailedOutcome): Flow<DispatchOutcome> {
  const { agents } = yield* config();
  const own = agents[order.role];
  let failed = busy;
  for (const model of own?.fallback ?? []) {
    yield* warn(`${order.role}: ${failed.model ?? "the model"} gave no answer (${failed.kind}). Trying ${model}.`);
    const outcome = yield* send(order, model);
    if (outcome.status === "finished") return outcome;
    failed = outcome;
  }
  return failed;
}

/** One dispatch. What an agent did beside its work has been put back, and is named. */
function* send(order: Consultation, model?: string): Flow<DispatchOutcome> {
  const { name, role, prompt, instructions, access, difficulty, testFirst, ours = [], documents } = order;
  const outcome = yield* dispatch({
    name,
    role,
    prompt,
    access,
    ...(instructions === undefined ? {} : { instructions }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(model === undefined ? {} : { model }),
    ...(testFirst ? { testFirst } : {}),
    ...(ours.length === 0 ? {} : { ours }),
    ...(documents === undefined ? {} : { documents }),
  });
  if (outcome.status === "failed" && outcome.touched.length > 0) yield* warn(touchedText(role, outcome));
  for (const text of besideTexts(role, outcome)) yield* warn(text);
  return outcome;
}

function besideTexts(role: string, { traces, around }: DispatchOutcome): readonly string[] {
  if (around !== undefined) return readerTexts(role, around);
  return traces === undefined ? [] : putBackTexts(role, traces.putBack);
}

/** Only these pass by themselves. A login, an account or a crash does not. */
const busyText: Readonly<Partial<Record<DispatchFailureKind, string>>> = {
  "rate-limited": "the provider is busy (rate-limited)",
  overloaded: "the provider is busy (overloaded)",
  unreachable: "the provider cannot be reached",
};

function isBusy(outcome: DispatchOutcome): outcome is FailedOutcome {
  return outcome.status === "failed" && Object.hasOwn(busyText, outcome.kind);
}

export function* warn(text: string): Flow<void> {
  yield* record({ type: "warning", text });
}
