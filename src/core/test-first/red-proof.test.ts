import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestState } from "../validation/results.ts";
import { greenIn, isDoubtful, proveByRuns } from "./red-proof.ts";

const results = (states: Readonly<Record<string, TestState>>) => new Map(Object.entries(states));
const command = "npm test";
const before = results({ old: "passed", sick: "failed" });
const after = results({ old: "passed", sick: "failed", own: "passed" });
const failing = (states: Readonly<Record<string, TestState>>) => ({
  passed: false,
  exitCode: 1,
  results: results(states),
});

test("C-41: a test that fails without the change and passes with it is proof", () => {
  const without = failing({ old: "passed", sick: "failed", own: "failed" });
  assert.deepEqual(proveByRuns({ command, before, without, after }), { red: ["own"], green: ["own"], why: "" });
});

test("C-41: a test file that cannot be loaded without the change is red, and its tests are green with it", () => {
  const without = failing({ old: "passed", sick: "failed", "a.test.js": "failed" });
  assert.deepEqual(proveByRuns({ command, before, without, after }), { red: ["a.test.js"], green: ["own"], why: "" });
  const crashed = { passed: false, exitCode: 2, results: undefined };
  assert.deepEqual(proveByRuns({ command, before, without: crashed, after }), {
    red: [command],
    green: ["own"],
    why: "",
  });
});

test("C-41: a run that fails without naming a test is red as a whole; only tests that did not pass in it or before are green", () => {
  const loadsNothing = failing({});
  const proof = { red: [command], green: ["own"], why: "" };
  assert.deepEqual(proveByRuns({ command, before, without: loadsNothing, after }), proof);
  const otherStepFails = failing({ old: "passed", own: "passed" });
  assert.match(proveByRuns({ command, before, without: otherStepFails, after }).why, /No test .* passes with it/);
});

test("C-41: what passes without the change, or fails for another reason, proves nothing", () => {
  const why = (without: Parameters<typeof proveByRuns>[0]["without"], now = after) =>
    proveByRuns({ command, before, without, after: now }).why;
  assert.match(why({ passed: true, exitCode: 0, results: after }), /passes without the change/);
  assert.match(why({ passed: false, exitCode: null, results: undefined }), /does not end/);
  assert.match(why(failing({ old: "passed", sick: "failed", own: "passed" })), /only tests fail that failed before/);
  assert.match(
    why(failing({ old: "passed", own: "failed" }), results({ old: "passed", own: "skipped" })),
    /No test .* passes with it/,
  );
});

test("C-41: where only the exit code tells, it tells", () => {
  const without = { passed: false, exitCode: 1, results: undefined };
  const proof = proveByRuns({ command, before: undefined, without, after: undefined });
  assert.deepEqual(proof, { red: [command], green: [command], why: "" });
});

test("C-41: a failure is in doubt where nothing passes, or where what passed before fails in a file that the task left alone", () => {
  const known = results({ "a.js › old": "passed", "b.js › other": "passed", "b.js › sick": "failed" });
  const isInDoubt = (now: Readonly<Record<string, TestState>>, was = known) =>
    isDoubtful({ command, before: was, without: failing(now), after }, ["a.js", "sum.js"]);
  assert.equal(isInDoubt({ "a.js": "failed", "b.js › other": "passed", "b.js › sick": "failed" }), false);
  assert.equal(isInDoubt({ "a.js › old": "passed", "a.js › own": "failed", "b.js › other": "failed" }), true);
  assert.equal(isInDoubt({ "a.js › old": "passed", "a.js › own": "failed" }), true, "b.js was not even loaded");
  assert.equal(isInDoubt({ "a.js › own": "failed" }, results({})), true, "it brings the first tests");
  const silent = { passed: false, exitCode: 1, results: undefined };
  assert.equal(isDoubtful({ command, before: known, without: silent, after }, []), true);
});

test("C-41: green in a worktree is what passes there, by name or by the exit code", () => {
  const there = failing({ own: "passed", other: "failed" });
  assert.deepEqual(greenIn(there, ["own", "other", "third"]), ["own"]);
  const silent = { passed: true, exitCode: 0, results: undefined };
  assert.deepEqual(greenIn(silent, [command]), [command]);
  assert.deepEqual(greenIn({ ...silent, passed: false, exitCode: 1 }, [command]), []);
});
