import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./campaign.ts";
import { faults } from "./machine.ts";
import { profiles } from "./profiles.ts";
import { simulate } from "./simulate.ts";

test("no run violates a promise, whatever goes wrong in it", async () => {
  const { found, happened } = await campaign({ from: 1, seeds: 25 });
  assert.deepEqual(found, []);
  const unseen = faults.filter((fault) => happened.get(fault) === 0);
  assert.deepEqual(unseen, [], "what never went wrong was not shown to be survived");
});

test("the same seed is the same run", async () => {
  const { all } = profiles;
  assert.ok(all);
  assert.deepEqual(await simulate(7, all), await simulate(7, all));
});
