// Exhaustively, over simulated ports: the run is killed before each of its turns, that is before and after every effect and every
// record, once with the power and once without. crash-everywhere.test.ts does a sample of it with real git and real processes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { knownAs } from "../simulation/known.ts";
import { profiles } from "../simulation/profiles.ts";
import { simulate } from "../simulation/simulate.ts";

for (const [how, odds] of [
  ["a run killed", {}],
  ["a run that loses its power", { "power cut": 1 }],
] as const) {
  test(`${how} at any point goes on to the same end and keeps every promise`, async (context) => {
    const calm = profiles["calm"] ?? assert.fail();
    for (let turn = 1; ; turn++) {
      const { lives, end, violations: all } = await simulate(1, { ...calm, odds }, new Set(), turn);
      const violations = all.filter((violation) => knownAs(violation) === undefined);
      assert.deepEqual({ end, violations }, { end: "finished", violations: [] }, `killed before turn ${turn}`);
      if (lives > 1) continue;
      context.diagnostic(`killed at ${turn - 1} points`);
      assert.ok(turn > 500, `the run has ${turn} turns`);
      return;
    }
  });
}
