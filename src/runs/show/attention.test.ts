import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../core/flow/question.ts";
import type { Person } from "../../ports/person.ts";
import { Attention } from "./attention.ts";

const question: Question = { id: "plan.approval", kind: "confirm", title: "Plan Approval", message: "" };
const never = new AbortController().signal;

function watched(answer: Promise<string>, run: (message: string) => Promise<void> = async () => undefined) {
  const said: string[] = [];
  const person: Person = {
    ask: () => answer,
    notify: (message) => void said.push(message),
    attention: (message) => void said.push(`bell: ${message}`),
    status: () => undefined,
    widget: () => undefined,
  };
  const wakings: (() => void)[] = [];
  const clock = {
    now: () => 0,
    sleep: (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        wakings.push(resolve);
        signal.addEventListener("abort", () => resolve());
      }),
  };
  const attention = new Attention(person, { clock, run });
  const timePasses = (): void => {
    for (const wake of wakings.splice(0)) wake();
  };
  return { said, attention, timePasses };
}

test("U6: a question that stays open calls the person, by bell and by their command", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ran: string[] = [];
  const { said, attention, timePasses } = watched(promise, async (message) => void ran.push(message));
  const answer = attention.person().ask(question, never);
  assert.deepEqual(said, []);
  timePasses();
  await new Promise(setImmediate);
  assert.deepEqual([said, ran], [["bell: A question waits: Plan Approval"], ["A question waits: Plan Approval"]]);
  resolve("yes");
  assert.equal(await answer, "yes");
});

test("whoever answers at once is not disturbed", async () => {
  const { said, attention, timePasses } = watched(Promise.resolve("yes"));
  assert.equal(await attention.person().ask(question, never), "yes");
  timePasses();
  await new Promise(setImmediate);
  assert.deepEqual(said, []);
});

test("a command that fails is told of, and ends nothing", async () => {
  const { said, attention } = watched(Promise.resolve("yes"), () => Promise.reject(new Error("no such program")));
  await attention.call("Finished: it");
  assert.deepEqual(said, ["bell: Finished: it", 'The command in "notify" failed: no such program']);
});
