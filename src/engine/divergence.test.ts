import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { newJournal, rig } from "../../test/rig/world.ts";
import { ask, check, type Flow, read, scope } from "../core/flow.ts";
import type { Question } from "../core/question.ts";

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
    assert.deepEqual(
      journal.entries.slice(count).map((entry) => entry.type),
      ["session"],
    );
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
