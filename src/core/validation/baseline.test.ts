// What a test run says about a change, from values alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { advanced, type Baseline, flakyIn, judgeSuite, settledResults } from "./baseline.ts";
import { compare } from "./compare.ts";
import { type Results, readResults, resultsOf, type TestState, testName, writeResults } from "./results.ts";
import { isGood } from "./suite-verdict.ts";

const results = (states: Readonly<Record<string, TestState>>): Results => new Map(Object.entries(states));
const known = (states: Readonly<Record<string, TestState>>, exitCode: number | null = null): Baseline => {
  const isEmpty = Object.keys(states).length === 0;
  const own = { results: writeResults(results(states)), exitCode, isEmpty };
  return { command: "npm test", tree: "t", ...own, waived: [], pending: [] };
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
  test("it fails, and something else than its tests may have: only a test that is new to fail explains it", () => {
    const besides = (states: Readonly<Record<string, TestState>>) => {
      const tests = { reporter: "x", results: writeResults(results(states)), failures: [], hasOthers: true } as const;
      return judgeSuite(known(red, 1), { passed: false, exitCode: 1, tests });
    };
    assert.equal(besides(red).red, true);
    const broken = besides({ old: "failed", good: "failed" });
    assert.deepEqual([broken.red, broken.broken], [false, ["good"]]);
  });
  test("it was killed, whatever its report says", () => assert.ok(!good(known(red), run(null, red))));
  test("no report: by exit code", () => {
    assert.ok(good(known(red), run(0)));
    assert.ok(!good(known(red), run(1)));
    assert.ok(good({ ...known({}), results: null }, run(0, red)), "nothing is known to compare with");
    assert.ok(!good({ ...known({}), results: null }, run(1, red)));
  });
  test("a crash after the report is not explained by what was red before; a runner that counts what fails is", () => {
    assert.ok(good(known(red, 1), run(1, red)));
    assert.ok(!good(known(red, 1), run(139, red)), "a segmentation fault");
    assert.ok(good(known(red, 139), run(139, red)), "as before");
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`t${index}`, "failed" as const]));
    assert.ok(good(known({ ...many, more: "failed" }, 131), run(130, { ...many, more: "passed" })));
  });
  test("a command that passed with red tests, and fails with the same ones, fails for another reason", () => {
    assert.ok(good(known(red, 0), run(0, red)));
    assert.ok(!good(known(red, 0), run(1, red)));
    assert.equal(
      judgeSuite(known(red, 0), run(1, { old: "failed", good: "failed" })).red,
      false,
      "a new failure explains it",
    );
  });
  test("a runner that ends well and writes no report, where there was one, may have ended before its tests", () => {
    const silent = {
      passed: true,
      exitCode: 0,
      tests: { reporter: null, why: "x wrote no report", isSilent: true },
    } as const;
    assert.ok(!good(known(red), silent));
    assert.ok(good({ ...known({}), results: null }, silent), "there never was one");
  });
});

describe("a suite without tests", () => {
  const none = (exitCode: number) => {
    const tests = { reporter: "x", results: "", failures: [], isEmpty: true } as const;
    return { passed: exitCode === 0, exitCode, tests };
  };
  test("is good where there were none before, whatever its exit code; its first tests are judged by name", () => {
    for (const exitCode of [0, 1, 5]) assert.ok(isGood(judgeSuite(known({}, 5), none(exitCode))));
    assert.deepEqual(judgeSuite(known({}, 5), run(1, { own: "failed" })).unfinished, ["own"]);
    assert.ok(!isGood(judgeSuite(known({}, 5), run(1, { own: "passed" }))), "T3");
  });
  test("X-6: is red where there were some: what runs no test proves nothing", () => {
    const { red, vanished } = judgeSuite(known({ a: "passed" }), none(0));
    assert.deepEqual([red, vanished], [true, ["a"]]);
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
  const good = { tree: "t2", exitCode: 0, isEmpty: false };
  const next = advanced(known({}, 5), { ...good, results: results({ a: "passed", added: "passed" }) });
  assert.deepEqual([next.tree, next.exitCode, next.isEmpty], ["t2", 0, false]);
  assert.deepEqual(judgeSuite(next, run(1, { a: "passed", added: "failed" })).broken, ["added"]);
  const unnamed = advanced(known({ a: "passed" }), { ...good, results: undefined });
  assert.deepEqual(unnamed, { ...known({ a: "passed" }), tree: "t2" });
});

test("X-5: a test is its file and its full name; colours, newlines and separators in it do no harm", () => {
  const name = testName({ file: "a/b.test.ts", path: ["outer", "in\nner \u001b[31mred\u001b[0m 🎉 a/b\u0000"] });
  assert.equal(name, "a/b.test.ts › outer › in ner red 🎉 a/b");
});

test("X-5: tests that share a name are counted by how they went, in whatever order they come", () => {
  const shared = (...states: readonly TestState[]) =>
    resultsOf(states.map((state) => ({ file: "a", path: ["x"], state })));
  const [red, worse] = [shared("passed", "failed", "skipped"), shared("failed", "passed", "failed")];
  assert.deepEqual(red, results({ "a › x": "failed", "a › x (2)": "passed", "a › x (3)": "skipped" }));
  assert.deepEqual(red, shared("skipped", "failed", "passed"));
  assert.deepEqual(compare(red, worse).broken, ["a › x (2)"], "one that was red before hides no other");
  assert.deepEqual(compare(worse, shared("passed", "passed", "passed")).repaired, ["a › x", "a › x (2)"]);
  const own = resultsOf(["x", "x (2)", "x"].map((name) => ({ file: "", path: [name], state: "passed" as const })));
  assert.deepEqual([...own.keys()], ["x", "x (2)", "x (3)"], "a name that is there already stays its own");
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
