// E11: whatever an outcome holds, the run can continue. A scope whose flow cannot handle it is offered again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { agent, stage, usd } from "../../../test/rig/spending.ts";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { all, ask, check, child, defineFlow, type Flow, type Flows, read, scope } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";
import { OutsideFailure } from "../../ports/failure.ts";

const steps = (part: () => Flow<string>) =>
  function* (): Flow<string> {
    yield* check("before", "before");
    return yield* scope({ name: "part", kind: "phase", returns: z.string() }, part());
  };

/** Cannot handle the document as it is at first. */
const picky = steps(function* () {
  yield* check("inside", "inside");
  const text = (yield* read("a.md")) ?? "";
  if (text === "odd") throw new TypeError("text.odd is not a function");
  return text;
});

test("an outcome that a flow cannot handle is told, in the process that got it and in every later one", async () => {
  const journal = await newJournal();
  for (let lives = 1; lives <= 3; lives++) {
    const one = rig(journal, { documents: { "a.md": "odd" } });
    assert.deepEqual(await one.go(picky), { how: "suspended", why: "question" });
    assert.deepEqual(one.shown, ["run.unhandled"]);
  }
  const asked = journal.entries.findLast((entry) => entry.type === "begin" && entry.request.do === "ask");
  assert.ok(asked?.type === "begin" && asked.request.do === "ask");
  assert.match(asked.request.question.message, /^Step part cannot continue from what it was given: text\.odd is not a/);
});

test("with the person's word that scope alone runs again, with another outcome", async () => {
  const journal = await newJournal();
  await rig(journal, { documents: { "a.md": "odd" } }).go(picky);
  const one = rig(journal, { documents: { "a.md": "fine" }, answers: { "run.unhandled": ["again"] } });
  assert.deepEqual(await one.go(picky), { how: "finished", value: "fine" });
  assert.deepEqual(one.ran, ["inside"], "what came before it is not done again");
  assert.deepEqual((await rig(journal).go(picky)).how, "finished");
});

test("the question says what would be paid again", async () => {
  const journal = await newJournal();
  const flow = function* (): Flow<string> {
    yield* agent("a");
    return yield* scope({ name: "part", kind: "phase", returns: z.string() }, paid());
  };
  function* paid(): Flow<string> {
    yield* agent("b");
    throw new Error("it cannot be read");
  }
  const one = stage(journal, { a: { turns: [usd(1)] }, b: { turns: [usd(0.25)] } });
  await one.go(flow);
  const asked = journal.entries.findLast((entry) => entry.type === "begin" && entry.request.do === "ask");
  assert.ok(asked?.type === "begin" && asked.request.do === "ask" && asked.request.question.kind === "select");
  const [again] = asked.request.question.options;
  assert.deepEqual([again?.label, again?.hint], ["Run part again", "its agents are paid for again: $0.25 so far"]);
});

test("what a child is given and what a request asks for can be just as wrong", async () => {
  const flows: Flows = {
    part: defineFlow({ kind: "step", input: z.number(), returns: z.void(), run: nothing }),
  };
  const wrongInput = rig(await newJournal());
  await wrongInput.go(function* (): Flow<void> {
    yield* child({ flow: "part", name: "one", input: "no number" });
  }, flows);
  assert.deepEqual(wrongInput.shown, ["run.unhandled"]);
  const wrongPath = rig(await newJournal());
  const { documents } = await wrongPath.world.places.at("tree");
  Object.assign(documents, {
    read: async () => {
      throw new OutsideFailure("outside", "../a leads out of the tree");
    },
  });
  await wrongPath.go(steps(() => readIt("../a")));
  assert.deepEqual(wrongPath.shown, ["run.unhandled"]);
});

function* nothing(): Flow<void> {
  yield* check("nothing", "nothing");
}

function* readIt(path: string): Flow<string> {
  return (yield* read(path)) ?? "";
}

test("trouble outside is no question: it may have passed when the run is resumed", async () => {
  const one = rig(await newJournal());
  const { documents } = await one.world.places.at("tree");
  Object.assign(documents, {
    read: async () => {
      throw new OutsideFailure("unreadable", "a.md could not be read (EACCES)");
    },
  });
  await assert.rejects(one.go(steps(() => readIt("a.md"))), /EACCES/);
  assert.deepEqual(one.shown, []);
});

test("a branch that cannot go on keeps its siblings from starting anything new", async () => {
  const flows: Flows = {
    branch: defineFlow({
      kind: "task",
      input: z.string(),
      returns: z.void(),
      run: function* (name): Flow<void> {
        yield* check("first", name);
        if (name === "a") throw new Error("no");
        yield* check("second", name);
        yield* check("third", "too late");
      },
    }),
  };
  const one = rig(await newJournal());
  await one.go(function* (): Flow<void> {
    yield* all(["a", "b"].map((name) => ({ flow: "branch", name, input: name })));
  }, flows);
  assert.deepEqual(one.shown, ["run.unhandled"]);
  assert.ok(!one.ran.includes("too late"), one.ran.join());
});

test("an answer that is no longer offered is asked for again", async () => {
  const options = [{ key: "new", label: "New" }];
  const question: Question = { id: "q", kind: "select", title: "", message: "", options };
  const journal = await newJournal();
  const key = "part/ask:q#1";
  const sync = { sync: true };
  await journal.append({ type: "enter", scope: "part", kind: "phase" }, sync);
  await journal.append({ type: "begin", key, request: { do: "ask", question }, tries: 1, place: "tree" }, sync);
  await journal.append({ type: "settle", key, outcome: "old" }, sync);
  const one = rig(journal, { answers: { q: ["new"] } });
  const end = await one.go(function* (): Flow<string> {
    return yield* scope({ name: "part", kind: "phase", returns: z.string() }, ask(question));
  });
  assert.deepEqual([end, one.shown], [{ how: "finished", value: "new" }, ["q"]]);
});

test("a full disk is trouble outside, also when the system alone says so", async () => {
  const one = rig(await newJournal());
  const { documents } = await one.world.places.at("tree");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  Object.assign(documents, { read: () => Promise.reject(full) });
  await assert.rejects(one.go(steps(() => readIt("a.md"))), /no space left/);
  assert.deepEqual(one.shown, []);
});

test("with the word to leave it as it is nothing runs again", async () => {
  const journal = await newJournal();
  const one = rig(journal, { documents: { "a.md": "odd" }, answers: { "run.unhandled": ["stop"] } });
  assert.deepEqual(await one.go(picky), { how: "suspended", why: "question" });
  assert.ok(!journal.entries.some(({ type }) => type === "restart"));
});
