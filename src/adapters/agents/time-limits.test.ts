import assert from "node:assert/strict";
import { test } from "node:test";
import { timeLimitsOf } from "./time-limits.ts";

const limits = { timeoutMs: 10_000, stuckMs: 1_000, silentMs: 300 };

test("silence is told at its pace, counted from the last sign, and ends as stuck", () => {
  const patience = timeLimitsOf(limits, 0);
  patience.sign(100);
  assert.deepEqual(patience.judge(399, false), { type: "fine" });
  assert.deepEqual(patience.judge(400, false), { type: "silent", forMs: 300 });
  assert.deepEqual(patience.judge(500, false), { type: "fine" });
  assert.deepEqual(patience.judge(700, false), { type: "silent", forMs: 600 });
  assert.deepEqual(patience.judge(1_100, false), { type: "stuck" });
});

test("a tool that runs is a sign for as long as it runs, but not beyond the timeout", () => {
  const patience = timeLimitsOf(limits, 0);
  assert.deepEqual(patience.judge(5_000, true), { type: "fine" });
  assert.deepEqual(patience.judge(5_299, false), { type: "fine" });
  assert.deepEqual(patience.judge(10_000, true), { type: "timed-out" });
});

test("it waits no longer than until something has to be said", () => {
  const patience = timeLimitsOf(limits, 0);
  assert.equal(patience.wait(100, false), 200);
  assert.equal(patience.wait(100, true), 9_900);
  patience.sign(9_900);
  assert.equal(patience.wait(9_900, false), 100);
});
