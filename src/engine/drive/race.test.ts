// `any`: a race whose winner is on record. `restart`: a scope that is run again as a step of its flow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import {
  any,
  ask,
  check,
  defineFlow,
  type Flow,
  type Flows,
  fail,
  record,
  restart,
  scope,
} from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import { viewOf } from "../views/fold/run-view.ts";
import { openQuestions } from "../views/fold/shape.ts";

const question = (id: string): Question => ({ id, kind: "input", title: id, message: "" });

function* checkOne(name: string): Flow<string> {
  const { passed } = yield* check(name, name);
  if (!passed) fail({ kind: "impossible", step: name, detail: `${name} is red` });
  return name;
}
function* askOne(id: string): Flow<string> {
  return yield* ask(question(id));
}
const flows: Flows = {
  check: defineFlow({ kind: "step", input: z.string(), returns: z.string(), run: checkOne }),
  ask: defineFlow({ kind: "step", input: z.string(), returns: z.string(), run: askOne }),
};
const branch = (flow: string, input: string) => ({ flow, name: input, input });

const race = (...children: readonly ReturnType<typeof branch>[]) =>
  function* (): Flow<string> {
    return yield* any<string>("first", children);
  };

/** Resolves when somebody lets it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<number>();
  return { promise, open: (code = 0) => resolve(code) };
}

const open = ({ entries, recall }: Journal): readonly string[] =>
  entries.flatMap((entry) => (entry.type === "begin" && recall(entry.key)?.settled === false ? entry.key : []));

test("the first branch that ends well decides, the others are stopped, and nothing of them stays open", async () => {
  const journal = await newJournal();
  const slow = gate();
  const one = rig(journal, { checks: (command) => (command === "slow" ? slow.promise : 0) });
  const ended = one.go(race(branch("check", "slow"), branch("check", "quick")), flows);
  // A check that is stopped ends: here it does so by itself once the race is decided.
  await untilSettled(journal, "any:first#1");
  slow.open(1);
  assert.deepEqual(await ended, { how: "finished", value: "quick" });
  assert.deepEqual(journal.recall("any:first#1")?.outcome, 1);
  assert.deepEqual(open(journal), []);
  const left = journal.result("slow");
  assert.ok(left && !left.ok && left.failure.kind === "cancelled");
});

test("a question of a branch that lost is withdrawn, and the run is not suspended for it", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { later: ["(wait)"] } });
  assert.deepEqual(await one.go(race(branch("ask", "later"), branch("check", "quick")), flows), {
    how: "finished",
    value: "quick",
  });
  assert.deepEqual([open(journal), openQuestions(viewOf(journal.entries))], [[], []]);
});

test("a race is replayed with the winner on record, whichever would be first now", async () => {
  const journal = await newJournal();
  const first = rig(journal, { checks: (command) => (command === "b" ? 0 : gate().promise) });
  void first.go(race(branch("check", "a"), branch("check", "b")), flows);
  await untilSettled(journal, "any:first#1");
  // Killed before the loser was closed: another life closes it and runs nothing.
  const killed = memoryJournal({ entries: upTo(journal.entries, "any:first#1") });
  const again = rig(killed, {});
  assert.deepEqual(await again.go(race(branch("check", "a"), branch("check", "b")), flows), {
    how: "finished",
    value: "b",
  });
  assert.deepEqual([again.ran, open(killed)], [[], []]);
});

test("when no branch ends well the first failure, in order, is the race's", async () => {
  const journal = await newJournal();
  const one = rig(journal, { checks: () => 1 });
  const end = await one.go(race(branch("check", "a"), branch("check", "b")), flows);
  assert.ok(end.how === "failed" && end.failure.detail === "a is red", JSON.stringify(end));
});

test("a stop in a race suspends the run, and the race is held when it is resumed", async () => {
  const journal = await newJournal();
  const one = rig(journal, { answers: { later: ["(wait)"] }, checks: () => 1 });
  const ended = one.go(race(branch("ask", "later"), branch("check", "red")), flows);
  await untilSettled(journal, "red/check:red#1");
  one.halt.stop("stopped");
  assert.deepEqual(await ended, { how: "suspended", why: "stopped" });
  const two = rig(journal, { answers: { later: ["yes"] } });
  assert.deepEqual(await two.go(race(branch("ask", "later"), branch("check", "red")), flows), {
    how: "finished",
    value: "yes",
  });
});

function* stage(): Flow<boolean> {
  yield* record({ type: "waiver", step: "stage", what: "let through" });
  return (yield* check("tests", "npm test")).passed;
}
function* untilGreen(): Flow<number> {
  for (let times = 1; ; times++) {
    if (yield* scope({ name: "IMPLEMENT", kind: "phase", returns: z.boolean() }, stage())) return times;
    yield* restart("IMPLEMENT");
  }
}

test("a scope that the flow restarts is run anew at its next epoch, and what it said before is void", async () => {
  const journal = await newJournal();
  let runs = 0;
  const one = rig(journal, { checks: () => (++runs < 3 ? 1 : 0) });
  assert.deepEqual(await one.go(untilGreen), { how: "finished", value: 3 });
  const entered = journal.entries.flatMap((entry) => (entry.type === "enter" ? entry.scope : []));
  assert.deepEqual(entered, ["IMPLEMENT", "IMPLEMENT@2", "IMPLEMENT@3"]);
  assert.equal(viewOf(journal.entries).waivers.length, 1);
});

test("a run killed anywhere around a restart goes on with it, and repeats nothing", async () => {
  const whole = await newJournal();
  let runs = 0;
  await rig(whole, { checks: () => (++runs < 3 ? 1 : 0) }).go(untilGreen);
  for (let count = 1; count < whole.entries.length; count++) {
    const journal = memoryJournal({ entries: whole.entries.slice(0, count) });
    const before = journal.entries.filter(isChecked).length;
    let left = 3 - before;
    const resumed = rig(journal, { checks: () => (--left > 0 ? 1 : 0) });
    assert.deepEqual(await resumed.go(untilGreen), { how: "finished", value: 3 }, `after ${count} records`);
    assert.equal(resumed.ran.length, 3 - before, `after ${count} records`);
  }
});

test("a scope of the same name that comes after a restarted one is another scope", async () => {
  const journal = await newJournal();
  const implement = () => scope({ name: "IMPLEMENT", kind: "phase", returns: z.boolean() }, stage());
  await rig(journal).go(function* (): Flow<void> {
    yield* implement();
    yield* restart("IMPLEMENT");
    yield* implement();
    yield* implement();
  });
  const entered = journal.entries.flatMap((entry) => (entry.type === "enter" ? entry.scope : []));
  assert.deepEqual(entered, ["IMPLEMENT", "IMPLEMENT@2", "IMPLEMENT#2"]);
});

test("what was not run cannot be restarted", async () => {
  function* wrong(): Flow<void> {
    yield* restart("IMPLEMENT");
  }
  const one = rig(await newJournal());
  await one.go(wrong);
  assert.deepEqual(one.shown, ["run.unhandled"]);
});

const isChecked = (entry: Entry): boolean => entry.type === "settle" && entry.key.includes("check:");

function upTo(entries: readonly Entry[], key: string): readonly Entry[] {
  return entries.slice(0, entries.findIndex((entry) => entry.type === "settle" && entry.key === key) + 1);
}

async function untilSettled(journal: Journal, key: string): Promise<void> {
  for (let turn = 0; turn < 1000 && !journal.recall(key)?.settled; turn++) await new Promise(setImmediate);
  assert.ok(journal.recall(key)?.settled, `${key} is settled`);
}
