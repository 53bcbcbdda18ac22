// What a test run says about a change, from values alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { advanced, type Baseline, flakyIn, judgeSuite, settledResults } from "./baseline.ts";
import { compare } from "./compare.ts";
import { type Results, readResults, resultsOf, type TestState, testName, writeResults } from "./results.ts";
import { isGood } from "./suite-verdict.ts";

const results = (states: Readonly<Record<string, TestState>>): Results => new Map(Object.entries(states));
const known = (states: Readonly<Record<string, TestState>>): Baseline => {
  return { command: "npm test", tree: "t", results: writeResults(results(states)), waived: [], pending: [] };
};
const run = (exitCode: number | null, states?: Readonly<Record<string, TestState>>) => ({
  passed: exitCode === 0,
  exitCode,
  tests: states
    ? { reporter: "x", results: writeResults(results(states)), failures: [] }
    : { reporter: null, why: "nothing" },
});

test("S3-29, S3-30, X-6: a failure is new, the change's own, or was there before; what passes now or is gone is told", () => {
  const before = results({
    good: "passed",
    red: "failed",
    repaired: "failed",
    gone: "passed",
    off: "passed",
    idle: "skipped",
  });
  const now = results({
    good: "failed",
    red: "failed",
    repaired: "passed",
    own: "failed",
    off: "skipped",
    fresh: "passed",
  });
  assert.deepEqual(compare(before, now), {
    broken: ["good"],
    unfinished: ["own"],
    preExisting: ["red"],
    repaired: ["repaired"],
    vanished: ["gone", "off"],
    total: 6,
  });
});

describe("T3, X-4, S3-33: the exit code always counts", () => {
  const red = { old: "failed", good: "passed" } as const;
  const good = (baseline: Baseline, one: Parameters<typeof judgeSuite>[1]) => isGood(judgeSuite(baseline, one));
  test("all that fails failed before: good", () => assert.ok(good(known(red), run(1, red))));
  test("it fails, and no test does", () => assert.ok(!good(known(red), run(1, { old: "passed", good: "passed" }))));
  test("it passes, and a test does not", () => assert.ok(!good(known(red), run(0, { old: "failed", good: "failed" }))));
  test("it was killed, whatever its report says", () => assert.ok(!good(known(red), run(null, red))));
  test("no report: by exit code", () => {
    assert.ok(good(known(red), run(0)));
    assert.ok(!good(known(red), run(1)));
    assert.ok(good({ ...known({}), results: null }, run(0, red)), "nothing is known to compare with");
    assert.ok(!good({ ...known({}), results: null }, run(1, red)));
  });
});

test("S3-37: what failed in one of two runs on one tree is flaky, and counts as passed", () => {
  const [first, second] = [
    results({ a: "failed", b: "failed", c: "passed" }),
    results({ a: "passed", b: "failed", c: "failed" }),
  ];
  const flaky = flakyIn(first, second);
  assert.deepEqual(flaky, ["a", "c"]);
  assert.deepEqual(settledResults(second, flaky), results({ a: "passed", b: "failed", c: "passed" }));
});

test("the baseline advances: a test that one task added is known to the next", () => {
  const next = advanced(known({ a: "passed" }), "t2", results({ a: "passed", added: "passed" }));
  assert.equal(next.tree, "t2");
  assert.deepEqual(judgeSuite(next, run(1, { a: "passed", added: "failed" })).broken, ["added"]);
  assert.deepEqual(advanced(known({ a: "passed" }), "t2", undefined), { ...known({ a: "passed" }), tree: "t2" });
});

test("X-5: a test is its file and its full name; colours, newlines and separators in it do no harm", () => {
  const name = testName({ file: "a/b.test.ts", path: ["outer", "in\nner \u001b[31mred\u001b[0m 🎉 a/b\u0000"] });
  assert.equal(name, "a/b.test.ts › outer › in ner red 🎉 a/b");
  const twice = resultsOf([
    { file: "a", path: ["x"], state: "failed" },
    { file: "a", path: ["x"], state: "passed" },
  ]);
  assert.deepEqual(twice, results({ "a › x": "failed" }), "tests that share a name pass if all of them do");
  const once = resultsOf([
    { file: "", path: ["x"], state: "skipped" },
    { file: "", path: ["x"], state: "passed" },
  ]);
  assert.deepEqual(once, results({ x: "passed" }), "one that was skipped says nothing");
});

test("results are written by name, so that equal ones are equal texts", () => {
  assert.equal(writeResults(results({ b: "passed", a: "failed", c: "skipped" })), "- a\n+ b\n~ c");
  assert.deepEqual(readResults(""), results({}));
});

test("for all results: what is written is read back, whatever the names", () => {
  const state = fc.constantFrom<TestState>("passed", "failed", "skipped");
  const one = fc.record({ file: fc.string(), path: fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), state });
  fc.assert(
    fc.property(fc.array(one), (cases) => {
      const all = resultsOf(cases.filter((test) => testName(test) !== ""));
      assert.deepEqual(new Map([...readResults(writeResults(all))].toSorted()), new Map([...all].toSorted()));
    }),
  );
});
