// The first bad step is found, with as few tries as can be.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstBad } from "./blame.ts";

/** Which step it is, and which were tried. */
function search(steps: number, first: number): { readonly found: number; readonly tried: readonly number[] } {
  const tried: number[] = [];
  const bisection = firstBad(steps);
  let turn = bisection.next();
  while (!turn.done) {
    tried.push(turn.value);
    turn = bisection.next(turn.value >= first);
  }
  return { found: turn.value, tried };
}

test("whichever of up to forty steps is the first bad one is found; none is tried twice, and never the last", () => {
  for (let steps = 1; steps <= 40; steps++) {
    for (let first = 0; first < steps; first++) {
      const { found, tried } = search(steps, first);
      assert.equal(found, first);
      assert.equal(new Set(tried).size, tried.length);
      assert.ok(!tried.includes(steps - 1), "that it is bad there is known");
      assert.ok(tried.length <= Math.ceil(Math.log2(steps)), `${tried.length} tries for ${steps} steps`);
    }
  }
});

test("a single suspect needs no trial", () => assert.deepEqual(search(1, 0), { found: 0, tried: [] }));
