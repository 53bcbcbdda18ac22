import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { difficulties } from "../flow/dispatch.ts";
import { isBelievable, rangeOf, remainingCost } from "./forecast-range.ts";

const tasks = (...costs: readonly (readonly ["easy" | "medium" | "hard", number])[]) =>
  costs.map(([complexity, costUsd]) => ({ complexity, costUsd }));
const left = (...complexities: readonly ("easy" | "medium" | "hard")[]) =>
  complexities.map((complexity) => ({ complexity }));

test("before the first task is done nobody can say", () => {
  assert.equal(remainingCost([], left("easy")), null);
});

test("after the first task the rest costs as much per task, whatever its difficulty, give or take", () => {
  const cost = remainingCost(tasks(["hard", 2]), left("easy", "medium", "hard"));
  assert.deepEqual(cost, { lowUsd: 3, expectedUsd: 6, highUsd: 12 });
});

test("a task that is left costs what done ones of its difficulty did", () => {
  const done = tasks(["easy", 1], ["easy", 1], ["easy", 1], ["hard", 9], ["hard", 10], ["hard", 11]);
  assert.deepEqual(remainingCost(done, left("easy")), { lowUsd: 1, expectedUsd: 1, highUsd: 1 });
  assert.deepEqual(remainingCost(done, left("hard", "hard")), { lowUsd: 18, expectedUsd: 20, highUsd: 22 });
  assert.deepEqual(remainingCost(done, left("medium")), { lowUsd: 1, expectedUsd: 5.5, highUsd: 10 });
});

test("nothing left costs nothing", () => {
  assert.deepEqual(remainingCost(tasks(["easy", 1]), []), { lowUsd: 0, expectedUsd: 0, highUsd: 0 });
});

test("amounts are ranged by size, in whatever order they came", () => {
  assert.deepEqual(rangeOf([10, 9, 2, 30, 4]), { low: 4, expected: 11, high: 30 });
  assert.deepEqual(rangeOf([100, 1, 1, 1, 1, 1, 1, 1, 1, 1]), { low: 1, expected: 10.9, high: 10.9 });
  assert.deepEqual([0, 1e9, 1e9 + 1, -1].map(isBelievable), [true, true, false, false]);
});

test("amounts that cannot be are passed over", () => {
  const absurd = tasks(["easy", -1], ["easy", Number.NaN], ["easy", Number.POSITIVE_INFINITY], ["easy", 1e300]);
  assert.equal(remainingCost(absurd, left("easy")), null);
  assert.deepEqual(remainingCost([...absurd, ...tasks(["easy", 2])], left("easy")), {
    lowUsd: 1,
    expectedUsd: 2,
    highUsd: 4,
  });
});

test("it is always a range of finite amounts, and more tasks never cost less", () => {
  const complexity = fc.constantFrom(...difficulties);
  const done = fc.array(fc.record({ complexity, costUsd: fc.double() }), { maxLength: 30 });
  const open = fc.array(fc.record({ complexity }), { maxLength: 30 });
  fc.assert(
    fc.property(done, open, complexity, (spent, rest, one) => {
      const cost = remainingCost(spent, rest);
      if (cost === null) return;
      const { lowUsd, expectedUsd, highUsd } = cost;
      assert.ok(0 <= lowUsd && lowUsd <= expectedUsd && expectedUsd <= highUsd && Number.isFinite(highUsd));
      const more = remainingCost(spent, [...rest, { complexity: one }]);
      assert.ok(more && more.lowUsd >= lowUsd && more.expectedUsd >= expectedUsd && more.highUsd >= highUsd);
    }),
  );
});
