// What every journal keeps, whatever it is made of.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { bareOutline } from "../../src/core/run/pipeline.ts";
import type { Entry, EntryBody, Journal } from "../../src/ports/journal.ts";
import fc, { times } from "../rig/property.ts";

export interface JournalUnderTest {
  /** A new journal, without entries. */
  readonly journal: Journal;
  /** Closes the journal and gives the one a later process would have. */
  reopen(): Promise<Journal>;
}

export type MakeJournal = (t: TestContext) => Promise<JournalUnderTest>;

const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, costUsd: 0.5, estimated: false };
const header: EntryBody = {
  type: "run",
  header: { runId: "20261115-093000-ab12", pipeline: bareOutline("superteam"), input: { goal: "x" }, startedAt: 1 },
};
const begin = (key: string, tries = 1): EntryBody => ({
  type: "begin",
  key,
  request: { do: "head" },
  tries,
  place: "tree",
});
const settle = (key: string, outcome: unknown): EntryBody => ({ type: "settle", key, outcome });

export function journalContract(name: string, make: MakeJournal): void {
  describe(name, () => {
    orderContract(make);
    recallContract(make);
    jsonContract(make);
  });
}

function orderContract(make: MakeJournal): void {
  test("entries are numbered from 1 without gaps, in the order they were appended", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    await Promise.all(Array.from({ length: 300 }, (_, n) => journal.append(settle(`k${n}`, n), { sync: n % 7 === 0 })));
    const expected = ["run", ...Array.from({ length: 300 }, (_, n) => `k${n}`)];
    for (const entries of [journal.entries, (await reopen()).entries]) {
      assert.deepEqual(entries.map(nameOf), expected);
      assert.deepEqual(
        entries.map((entry) => entry.seq),
        expected.map((_, index) => index + 1),
      );
    }
  });

  test("what append resolves with is the entry, and is among the entries by then", async (t) => {
    const { journal } = await make(t);
    const entry = await journal.append(header, { sync: true });
    assert.deepEqual(journal.entries, [entry]);
    assert.equal(entry.seq, 1);
    assert.equal(typeof entry.at, "number");
    await journal.close();
  });

  test("each entry is shown once, in order, when it is among the entries and before append resolves", async (t) => {
    const { journal } = await make(t);
    const [shown, resolved]: [string[], string[]] = [[], []];
    const written = (entry: Entry): void => {
      assert.equal(journal.entries.at(entry.seq - 1), entry);
      assert.equal(resolved.includes(nameOf(entry)), false);
      shown.push(nameOf(entry));
    };
    const append = async (n: number): Promise<void> => {
      resolved.push(nameOf(await journal.append(settle(`k${n}`, n), { sync: n % 7 === 0, written })));
    };
    await journal.append(header, { sync: true, written });
    await Promise.all(Array.from({ length: 100 }, (_, n) => append(n)));
    assert.deepEqual(shown, ["run", ...Array.from({ length: 100 }, (_, n) => `k${n}`)]);
    await journal.close();
  });

  test("an error of whoever is shown an entry is the caller's, and the journal continues", async (t) => {
    const { journal } = await make(t);
    const written = (): never => {
      throw new Error("nobody can show this");
    };
    await assert.rejects(journal.append(header, { sync: true, written }), /nobody can show this/);
    assert.equal((await journal.append(settle("a", 1), { sync: true })).seq, 2);
    assert.deepEqual(journal.entries.map(nameOf), ["run", "a"]);
    await journal.close();
  });

  test("a reopened journal goes on where it was", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    const again = await reopen();
    const entry = await again.append(begin("a"), { sync: false });
    assert.equal(entry.seq, 2);
    assert.deepEqual(again.entries.map(nameOf), ["run", "a"]);
    await again.close();
  });

  test("closing twice is the same as closing once", async (t) => {
    const { journal } = await make(t);
    await journal.append(header, { sync: false });
    await journal.close();
    await journal.close();
  });
}

function recallContract(make: MakeJournal): void {
  test("a request is recalled as begun, then with its notes, then with its outcome", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    assert.equal(journal.recall("a"), undefined);
    const { seq, at } = await journal.append(begin("a"), { sync: false });
    const begun = { seq, at, request: { do: "head" }, tries: 1, place: "tree", settled: false, outcome: undefined };
    assert.deepEqual(journal.recall("a"), { ...begun, notes: [] });
    const note = { type: "usage", model: "p/m", usage } as const;
    await journal.append({ type: "note", key: "a", note }, { sync: false });
    assert.deepEqual(journal.recall("a"), { ...begun, notes: [note] });
    await journal.append(settle("a", { sha: "1" }), { sync: true });
    const expected = { ...begun, notes: [note], settled: true, outcome: { sha: "1" } };
    assert.deepEqual(journal.recall("a"), expected);
    assert.deepEqual((await reopen()).recall("a"), expected);
  });

  test("a request begun again has the new seq and anchor, no outcome, and the notes of all its tries", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    const anchor = (ref: string) => ({ sha: "1", branch: null, tree: "2", ref, leftAlone: [] });
    const gone = (at: number): EntryBody => ({ type: "note", key: "a", note: { type: "gone", at } });
    await journal.append({ ...begin("a"), anchor: anchor("first") } as EntryBody, { sync: false });
    await journal.append(gone(1), { sync: false });
    const { seq } = await journal.append({ ...begin("a", 2), anchor: anchor("second") } as EntryBody, { sync: false });
    await journal.append(gone(2), { sync: true });
    for (const recalled of [journal.recall("a"), (await reopen()).recall("a")]) {
      assert.equal(recalled?.seq, seq);
      assert.equal(recalled?.tries, 2);
      assert.equal(recalled?.anchor?.ref, "second");
      assert.equal(recalled?.settled, false);
      assert.deepEqual(
        recalled?.notes,
        [1, 2].map((at) => ({ type: "gone", at })),
      );
    }
  });

  test("an outcome that is null or nothing is still an outcome", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    for (const [key, outcome] of [
      ["null", null],
      ["nothing", undefined],
    ] as const) {
      await journal.append(begin(key), { sync: false });
      await journal.append(settle(key, outcome), { sync: true });
    }
    for (const known of [journal, await reopen()]) {
      assert.deepEqual([known.recall("null")?.settled, known.recall("null")?.outcome], [true, null]);
      assert.deepEqual([known.recall("nothing")?.settled, known.recall("nothing")?.outcome], [true, undefined]);
    }
  });

  test("a scope that was left has its result, a failure as well as a value", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    const failure = { kind: "aborted", step: "run/PLAN", detail: "why" } as const;
    await journal.append({ type: "enter", scope: "run/PLAN", kind: "phase" }, { sync: false });
    assert.equal(journal.result("run/PLAN"), undefined);
    await journal.append({ type: "leave", scope: "run/PLAN", result: { ok: false, failure } }, { sync: false });
    await journal.append({ type: "leave", scope: "run/SCOUT", result: { ok: true, value: [1] } }, { sync: true });
    for (const known of [journal, await reopen()]) {
      assert.deepEqual(known.result("run/PLAN"), { ok: false, failure });
      assert.deepEqual(known.result("run/SCOUT"), { ok: true, value: [1] });
      assert.equal(known.result("run/OTHER"), undefined);
    }
  });

  test("a scope stands for itself until the person has it run again", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    assert.equal(journal.current("run/PLAN"), "run/PLAN");
    await journal.append({ type: "restart", scope: "run/PLAN", epoch: 2, by: "person" }, { sync: false });
    await journal.append({ type: "restart", scope: "run/PLAN@2", epoch: 3, by: "person" }, { sync: true });
    await journal.append({ type: "restart", scope: "run/BUILD", epoch: 2, by: "flow" }, { sync: true });
    for (const known of [journal, await reopen()]) {
      assert.equal(known.current("run/PLAN"), "run/PLAN@3");
      assert.deepEqual([known.current("run"), known.current("run/BUILD")], ["run", "run/BUILD"]);
    }
  });
}

function jsonContract(make: MakeJournal): void {
  test("an outcome comes back as JSON makes it, the first time as after reopening", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    await journal.append(begin("a"), { sync: false });
    const given = { gone: undefined, nan: Number.NaN, date: new Date(0), list: [undefined, -0], map: new Map() };
    const expected = { nan: null, date: "1970-01-01T00:00:00.000Z", list: [null, 0], map: {} };
    const entry = await journal.append(settle("a", given), { sync: true });
    assert.deepStrictEqual(entry.type === "settle" && entry.outcome, expected);
    assert.deepStrictEqual(journal.recall("a")?.outcome, expected);
    assert.deepStrictEqual((await reopen()).recall("a")?.outcome, expected);
  });

  test("what is changed after it was appended is not changed in the journal", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    const list = [1];
    const appended = journal.append(settle("a", list), { sync: true });
    list.push(2);
    assert.deepEqual(outcomeOf(await appended), [1]);
    assert.deepEqual(outcomeOf((await reopen()).entries.at(-1)), [1]);
  });

  test("an entry that JSON cannot say is refused, and the journal goes on without a gap", async (t) => {
    const { journal, reopen } = await make(t);
    await journal.append(header, { sync: true });
    await assert.rejects(journal.append(settle("a", 1n), { sync: true }), TypeError);
    await journal.append(begin("b"), { sync: true });
    assert.deepEqual((await reopen()).entries.map(nameOf), ["run", "b"]);
  });

  for (const [what, text] of Object.entries(strangeTexts)) {
    test(`${what} comes back as it was`, async (t) => {
      const { journal, reopen } = await make(t);
      await journal.append(header, { sync: true });
      const outcome = { text, [text.slice(0, 40)]: [text, { $blob: text, deep: { $$blob: [text] } }] };
      assert.deepEqual(outcomeOf(await journal.append(settle("a", outcome), { sync: true })), outcome);
      assert.deepEqual(outcomeOf((await reopen()).entries.at(-1)), outcome);
    });
  }

  test("whatever is appended, a reopened journal has the same entries and recalls the same", async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { maxLength: 25 }), async (bodies) => {
        const { journal, reopen } = await make(t);
        const appended = [await journal.append(header, { sync: false })];
        for (const { body, sync } of bodies) appended.push(await journal.append(body, { sync }));
        const again = await reopen();
        assert.deepStrictEqual(again.entries, appended);
        for (const name of names) {
          assert.deepStrictEqual(again.recall(name), journal.recall(name));
          assert.deepStrictEqual(again.result(name), journal.result(name));
          assert.equal(again.current(name), journal.current(name));
        }
        await again.close();
      }),
      { numRuns: times(40) },
    );
  });
}

const strangeTexts = {
  "a text with U+2028, U+2029 and NUL": "a\u2028b\u2029c\u0000d\r\ne",
  "a text with characters beyond the first plane": "🦉".repeat(3),
  "a text with lone surrogates": "x\ud800y\udc00z",
  "a byte order mark": "\ufefftext",
  "a text of just 8 KB": "x".repeat(8 * 1024),
  "a text of a byte more than 8 KB": "x".repeat(8 * 1024 + 1),
  "a long text of few characters": "界".repeat(3000),
  "a text of 3 MB": "line 1\nline 2 \u2028 €\n".repeat(150_000),
  "a long text with lone surrogates": "\udbff ".repeat(9000),
  "a long text that begins with a byte order mark": `\ufeff${"x".repeat(9000)}`,
  "a text that looks like a reference": `{"$blob":"${"0".repeat(64)}"}`,
  "a text that looks like a hash": "0".repeat(64),
};

const names = ["a", "run/b", "run/b@2", "__proto__"];
const anyName = fc.constantFrom(...names);
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }).map((text) => text.repeat(2000)),
);
const anyKey = fc.oneof(fc.string(), fc.constantFrom("$blob", "$$blob", "$$$blob", "__proto__", "encoding", "hash"));
const anyValue = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.jsonValue(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(anyKey, tie("value"), { maxKeys: 3 }),
    ),
  }))
  .value.filter((value) => JSON.stringify(value) !== undefined);
const anyBody: fc.Arbitrary<EntryBody> = fc.oneof(
  anyName.map((key) => begin(key)),
  fc.tuple(anyName, anyValue).map(([key, outcome]) => settle(key, outcome)),
  fc.tuple(anyName, fc.nat()).map(([key, at]): EntryBody => ({ type: "note", key, note: { type: "gone", at } })),
  fc
    .tuple(anyName, anyValue)
    .map(([scope, value]): EntryBody => ({ type: "leave", scope, result: { ok: true, value } })),
  fc
    .tuple(anyName, fc.integer({ min: 2 }))
    .map(([scope, epoch]): EntryBody => ({ type: "restart", scope, epoch, by: "person" })),
);
const anyEntry = fc.record({ body: anyBody, sync: fc.boolean() });

function nameOf(entry: Entry): string {
  return entry.type === "begin" || entry.type === "settle" ? entry.key : entry.type;
}

function outcomeOf(entry: Entry | undefined): unknown {
  return entry?.type === "settle" ? entry.outcome : undefined;
}
