import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { until } from "../../../test/rig/until.ts";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { all, ask, check, child, defineFlow, type Flow, type Flows, read, scope } from "../../core/flow/flow.ts";
import type { Question } from "../../core/flow/question.ts";

const question = (id: string): Question => ({ id, kind: "input", title: id, message: "" });

/** What an older build did before it was suspended at a question. */
function* older(): Flow<void> {
  yield* scope({ name: "part", kind: "phase", returns: z.void() }, olderPart());
}
function* olderPart(): Flow<void> {
  yield* read("a.md");
  yield* check("tests", "npm test");
  yield* ask(question("q"));
}

const newer = (part: () => Flow<void>) =>
  function* (): Flow<void> {
    yield* scope({ name: "part", kind: "phase", returns: z.void() }, part());
  };

const changes: Record<string, () => Flow<void>> = {
  "another request in between": function* () {
    yield* read("a.md");
    yield* read("b.md");
    yield* check("tests", "npm test");
    yield* ask(question("q"));
  },
  "another command under the same name": function* () {
    yield* read("a.md");
    yield* check("tests", "make test");
    yield* ask(question("q"));
  },
  "another question": function* () {
    yield* read("a.md");
    yield* check("tests", "npm test");
    yield* ask(question("another"));
  },
  "another order": function* () {
    yield* check("tests", "npm test");
    yield* read("a.md");
    yield* ask(question("q"));
  },
  "an earlier end": function* () {
    yield* read("a.md");
  },
};

for (const [what, part] of Object.entries(changes)) {
  test(`a journal of an older build that did not have ${what} stops the run before it does anything`, async () => {
    const journal = await newJournal();
    await rig(journal).go(older);
    const count = journal.entries.length;
    const resumed = rig(journal);
    assert.deepEqual(await resumed.go(newer(part)), { how: "suspended", why: "question" });
    assert.deepEqual([resumed.shown, resumed.ran], [["run.diverged"], []]);
    const added = journal.entries.slice(count).map((entry) => (entry.type === "begin" ? entry.key : entry.type));
    assert.deepEqual(added, ["session", "part#0~ask:run.diverged#1"], "only the question is new");
    assert.deepEqual(
      (await rig(journal, { answers: { q: ["x"] } }).go(older)).how,
      "finished",
      "the older build can still go on",
    );
  });

  test(`with the person's word the innermost unfinished scope runs again at its next epoch (${what})`, async () => {
    const journal = await newJournal();
    await rig(journal).go(older);
    const resumed = rig(journal, { answers: { "run.diverged": ["again"], q: ["x"], another: ["x"] } });
    assert.equal((await resumed.go(newer(part))).how, "finished");
    const later = journal.entries.filter((entry) => entry.type === "begin").map((entry) => entry.key);
    assert.ok(
      later.some((key) => key.startsWith("part@2/")),
      later.join(),
    );
    assert.equal((await rig(journal).go(newer(part))).how, "finished", "and stays finished");
  });
}

test("a change of prompt or wording is no divergence: the text of a question may change", async () => {
  const journal = await newJournal();
  await rig(journal).go(older);
  const reworded = rig(journal, { answers: { q: ["x"] } });
  const end = await reworded.go(
    newer(function* () {
      yield* read("a.md");
      yield* check("tests", "npm test");
      yield* ask({ ...question("q"), title: "In other words" });
    }),
  );
  assert.deepEqual([end.how, reworded.ran], ["finished", []]);
});

test("an abort while the question about a divergence is open ends the run, and says so truly", async () => {
  const journal = await newJournal();
  await rig(journal).go(older);
  const one = rig(journal, { answers: { "run.diverged": ["(wait)"] } });
  const end = one.go(newer(changes["another question"] ?? olderPart));
  await until(() => one.shown.length > 0);
  one.say({ id: "m1", kind: "abort" });
  assert.equal((await end).how, "aborted");
  assert.deepEqual(one.receipts.get("m1"), { ok: true, text: "The run is aborted." });
  assert.equal(journal.entries.at(-1)?.type, "end");
});

test("a question about a divergence that is no more is withdrawn", async () => {
  const journal = await newJournal();
  await rig(journal).go(older);
  await rig(journal).go(newer(changes["another question"] ?? olderPart));
  const back = rig(journal);
  await back.go(older);
  assert.deepEqual(back.shown, ["q"]);
  const key = "part#0~ask:run.diverged#1";
  assert.ok(journal.entries.some((entry) => entry.type === "settle" && entry.key === key));
});

test("when the result of a finished scope no longer fits, the scope it lies in is offered, not the finished one", async () => {
  const flow = (value: string) =>
    function* (): Flow<unknown> {
      return yield* scope({ name: "outer", kind: "phase", returns: z.unknown() }, outer(value));
    };
  function* outer(value: string): Flow<unknown> {
    const first = yield* scope({ name: "first", kind: "step", returns: z.literal(value) }, told(value));
    yield* scope({ name: "second", kind: "step", returns: z.unknown() }, told("work"));
    yield* ask(question("q"));
    return first;
  }
  function* told(value: string): Flow<string> {
    yield* check("c", value);
    return value;
  }
  const journal = await newJournal();
  await rig(journal).go(flow("old"));
  const one = rig(journal, { answers: { "run.diverged": ["again"], q: ["x"] } });
  assert.deepEqual(await one.go(flow("new")), { how: "finished", value: "new" });
  assert.deepEqual(
    journal.entries.flatMap((entry) => (entry.type === "restart" ? [entry.scope] : [])),
    ["outer"],
  );
  assert.deepEqual(one.ran, ["new", "work"], "what followed the finished scope is done again as well");
});

test("a branch that takes another path keeps its siblings from starting anything new", async () => {
  const flows = (second: string): Flows => ({
    branch: defineFlow({
      kind: "task",
      input: z.string(),
      returns: z.void(),
      run: function* (name): Flow<void> {
        yield* check("first", name === "a" ? second : "same");
        yield* ask(question(`${name}.q`));
        yield* check("paid", name);
      },
    }),
  });
  function* flow(): Flow<void> {
    yield* all(["a", "b"].map((name) => ({ flow: "branch", name, input: name })));
  }
  const journal = await newJournal();
  await rig(journal).go(flow, flows("old"));
  const one = rig(journal, { answers: { "b.q": ["x"] } });
  await one.go(flow, flows("new"));
  assert.deepEqual([one.ran, one.shown], [[], ["run.diverged"]]);
});

test("a file whose name has a tilde is an ordinary step", async () => {
  function* flow(): Flow<void> {
    yield* read("b.txt~");
    yield* ask(question("q"));
  }
  const journal = await newJournal();
  await rig(journal).go(flow);
  const one = rig(journal);
  await one.go(flow);
  assert.deepEqual(one.shown, ["q"]);
});

test("a child flow is compared like any other step", async () => {
  const flows: Flows = {
    part: defineFlow({ kind: "step", input: z.null(), returns: z.void(), run: () => olderPart() }),
  };
  const started = (name: string) =>
    function* (): Flow<void> {
      yield* child({ flow: "part", name, input: null });
    };
  const journal = await newJournal();
  await rig(journal).go(started("one"), flows);
  const other = rig(journal);
  await other.go(started("two"), flows);
  assert.deepEqual(other.shown, ["run.diverged"]);
});
