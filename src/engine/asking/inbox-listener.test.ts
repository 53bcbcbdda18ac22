import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../test/rig/until.ts";
import { newJournal, type Rig, rig } from "../../../test/rig/world.ts";
import { ask, check, type Flow } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { OutsideFailure } from "../../ports/failure.ts";

const choice: Question = {
  id: "pick",
  kind: "select",
  title: "Pick",
  message: "",
  options: [
    { key: "left", label: "To the left" },
    { key: "right", label: "To the right" },
  ],
};
function* flow(): Flow<string> {
  const answer = yield* ask(choice);
  yield* check("c", answer);
  return answer;
}

async function shown(one: Rig): Promise<void> {
  await until(() => one.shown.length > 0);
}

test("an answer from another process counts when it fits, and its receipt comes when it is on disk", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { pick: ["(wait)"] } });
  const end = one.go(flow);
  await shown(one);
  one.say({ id: "m1", kind: "answer", question: null, said: "up" });
  one.say({ id: "m2", kind: "answer", question: "other", said: "left" });
  one.say({ id: "m3", kind: "answer", question: "pick", said: "2" });
  assert.deepEqual(await end, { how: "finished", value: "right" });
  assert.match(one.receipts.get("m1")?.text ?? "", /"up" is not an answer to pick. Choose one of: 1\) left/);
  assert.match(one.receipts.get("m2")?.text ?? "", /being asked is pick, not other/);
  assert.deepEqual(one.receipts.get("m3"), { ok: true, text: "Answered pick: right" });
});

test("a model in another process answers what is left to it, and the journal says that it did", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { pick: ["(wait)"], place: ["(wait)"] } });
  const end = one.go(function* () {
    const picked = yield* ask({ ...choice, modelMayAnswer: true });
    return [picked, yield* ask({ ...choice, id: "place" })];
  });
  await shown(one);
  one.say({ id: "m1", kind: "answer", question: "pick", said: "1", by: "model" });
  await until(() => one.shown.length > 1);
  one.say({ id: "m2", kind: "answer", question: "place", said: "1", by: "model" });
  one.say({ id: "m3", kind: "answer", question: "place", said: "2" });
  assert.deepEqual(await end, { how: "finished", value: ["left", "right"] });
  assert.deepEqual(one.receipts.get("m2"), {
    ok: false,
    text: "place is the person's decision: a model cannot answer it.",
  });
  const settled = journal.entries.flatMap((entry) => (entry.type === "settle" ? [[entry.outcome, entry.by]] : []));
  assert.deepEqual(settled, [
    ["left", "model"],
    ["right", undefined],
  ]);
});

test("U3: an answer that was sent before the question was asked is not taken for it", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { pick: ["(wait)"], place: ["(wait)"] } });
  const end = one.go(function* () {
    const picked = yield* ask(choice);
    return [picked, yield* ask({ ...choice, id: "place", title: "Where to?" })];
  });
  await shown(one);
  const [asked] = journal.entries.filter((entry) => entry.type === "begin");
  const at = asked?.at ?? 0;
  one.say({ id: "m1", kind: "answer", question: null, said: "1", at });
  await until(() => one.shown.length > 1);
  one.say({ id: "m2", kind: "answer", question: null, said: "1", at: at - 1 });
  await until(() => one.receipts.has("m2"));
  one.say({ id: "m3", kind: "answer", question: null, said: "2", at: Number.MAX_SAFE_INTEGER });
  assert.deepEqual(await end, { how: "finished", value: ["left", "right"] });
  assert.deepEqual(one.receipts.get("m2"), {
    ok: false,
    text: "Not answered: another question has come up since, place (Where to?). Look at it first: superteam status",
  });
});

test("stop from another process suspends the run at its question and is told so", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { pick: ["(wait)"] } });
  const end = one.go(flow);
  await shown(one);
  one.say({ id: "m1", kind: "stop" });
  assert.deepEqual(await end, { how: "suspended", why: "stopped" });
  assert.deepEqual(one.receipts.get("m1"), { ok: true, text: "The run is suspended." });
  assert.deepEqual(await rig(journal, { answers: { pick: ["left"] } }).go(flow), { how: "finished", value: "left" });
});

test("abort from another process ends the run for good", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { pick: ["(wait)"] } });
  const end = one.go(flow);
  await shown(one);
  one.say({ id: "m1", kind: "abort" });
  assert.equal((await end).how, "aborted");
  assert.equal(journal.entries.at(-1)?.type, "end");
  const again = rig(journal);
  assert.equal((await again.go(flow)).how, "aborted");
  assert.deepEqual(again.shown, []);
});

test("an answer when nothing is asked is refused with where to look", async () => {
  const journal = await newJournal();
  const gate = Promise.withResolvers<number>();
  const one = rig(journal, { answers: { pick: ["left"] }, checks: () => gate.promise });
  const end = one.go(flow);
  await until(() => one.ran.length > 0);
  one.say({ id: "m1", kind: "answer", question: null, said: "left" });
  gate.resolve(0);
  await end;
  assert.match(one.receipts.get("m1")?.text ?? "", /Nothing is being asked right now/);
});

test("an answer of the person that does not fit is asked again, never guessed", async () => {
  const one = rig(await newJournal(), { answers: { pick: ["neither", "left"] } });
  assert.deepEqual(await one.go(flow), { how: "finished", value: "left" });
  assert.deepEqual(one.shown, ["pick", "pick"]);
});

test("of two answers the one that counted gets the receipt, and the other is told so", async () => {
  const one = rig(await newJournal(), { answers: { pick: ["(wait)"] } });
  const end = one.go(flow);
  await shown(one);
  one.say({ id: "m1", kind: "answer", question: null, said: "left" });
  one.say({ id: "m2", kind: "answer", question: null, said: "right" });
  assert.deepEqual(await end, { how: "finished", value: "left" });
  assert.equal(one.receipts.get("m1")?.ok, true);
  assert.match(one.receipts.get("m2")?.text ?? "", /already answered: left/);
});

test("an answer that did not come to disk gets no good receipt", async () => {
  const journal = await newJournal();
  const full = new OutsideFailure("unwritable", "no space left");
  const one = rig(
    {
      ...journal,
      entries: journal.entries,
      append: (body, options) => (body.type === "settle" ? Promise.reject(full) : journal.append(body, options)),
    },
    { answers: { pick: ["(wait)"] } },
  );
  const end = one.go(flow);
  await shown(one);
  one.say({ id: "m1", kind: "answer", question: null, said: "left" });
  await assert.rejects(end, full);
  assert.equal(one.receipts.get("m1")?.ok, false);
});
