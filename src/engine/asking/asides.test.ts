// What a host settles with the person beside the flow, on a journal that several lives of a run share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../../test/rig/world.ts";
import type { Answered, Question } from "../../core/flow/question.ts";
import type { Journal } from "../../ports/journal.ts";
import { type Asides, asidesOf } from "./asides.ts";
import { QuestionQueue } from "./question-queue.ts";

const question: Question = {
  id: "trust",
  kind: "select",
  title: "Trust",
  message: "Trust it?",
  options: [
    { key: "yes", label: "Yes" },
    { key: "no", label: "No" },
  ],
};

/** A new process, whose person says this. */
function life(journal: Journal, ...says: readonly string[]): { readonly desk: Asides; readonly shown: string[] } {
  const { world, halt, shown } = rig(journal, { answers: { trust: says } });
  return { desk: asidesOf(world, new QuestionQueue(world), halt), shown };
}

test("an answer is fresh when it was given just now, by the person or beforehand, and given back after that", async () => {
  const journal = await newJournal();
  const { desk, shown } = life(journal, "yes");
  const given: Answered = { answer: "no", by: "policy" };
  assert.deepEqual(await desk.ask(question, "1"), { answer: "yes", by: "person", fresh: true });
  assert.deepEqual(await desk.ask(question, "1", given), { answer: "yes", by: "person", fresh: false });
  assert.deepEqual(await desk.ask(question, "2", given), { ...given, fresh: true });
  const next = life(journal);
  assert.deepEqual(await next.desk.ask(question, "2"), { ...given, fresh: false });
  assert.deepEqual([shown, next.shown], [["trust"], []]);
});
