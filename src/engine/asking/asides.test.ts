// What a host settles with the person beside the flow, on a journal that several lives of a run share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, type Rig, rig } from "../../../test/rig/world.ts";
import type { Fact } from "../../core/flow/fact.ts";
import { asideFact } from "../../core/flow/keys.ts";
import type { Answered, Question } from "../../core/flow/question.ts";
import type { Journal } from "../../ports/journal.ts";
import { Suspended } from "../drive/halt.ts";
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
function life(journal: Journal, ...says: readonly string[]): Rig & { readonly desk: Asides } {
  const one = rig(journal, { answers: { trust: says } });
  return { ...one, desk: asidesOf(one.world, new QuestionQueue(one.world), one.halt) };
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

test("once the run halts nothing is asked, and no answer is taken that was given beforehand", async () => {
  const journal = await newJournal();
  const { desk, halt, shown } = life(journal, "yes");
  halt.stop("interrupted");
  await assert.rejects(desk.ask(question, "1"), Suspended);
  await assert.rejects(desk.ask(question, "2", { answer: "no", by: "policy" }), Suspended);
  assert.deepEqual([shown, journal.entries.length], [[], 1]);
});

test("a fact is recorded each time, a warning once per mark and told in every life", async () => {
  const journal = await newJournal();
  const { desk, sights } = life(journal);
  const report: Fact = { type: "report", text: "Done." };
  await desk.record(report);
  await desk.record(report);
  await desk.warn("It is dark.", "1");
  await desk.warn("It is dark.", "1");
  const later = life(journal);
  await later.desk.warn("It is dark.", "1");
  const settled = journal.entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "record" && journal.recall(entry.key)?.settled
      ? [entry.request.fact]
      : [],
  );
  assert.deepEqual(settled, [report, report, { type: "warning", text: "It is dark." }]);
  const told = (life: Rig) => life.sights.filter(({ type }) => type === "told");
  assert.deepEqual([told({ ...later, sights }).length, told(later).length], [1, 1]);
});

test("a warning that an earlier life only began is begun once more", async () => {
  const journal = await newJournal();
  const request = { do: "record", fact: { type: "warning", text: "It is dark." } } as const;
  const key = asideFact("warning", "1");
  await journal.append({ type: "begin", key, request, tries: 1, place: "tree" }, { sync: true });
  await life(journal).desk.warn("It is dark.", "1");
  assert.deepEqual([journal.recall(key)?.tries, journal.recall(key)?.settled], [2, true]);
});
