import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./campaign.ts";
import { profiles } from "./profiles.ts";
import { simulate } from "./simulate.ts";
import { otherVersion, simulationVersion } from "./version.ts";

// The seeds from there on are in test/slow.
test("no run violates a promise, whatever goes wrong in it", async () => {
  const played = await campaign({ from: 1, seeds: 5 });
  assert.deepEqual(played.found, []);
});

test("the same seed is the same run", async () => {
  const { all } = profiles;
  assert.ok(all);
  assert.deepEqual(await simulate(7, all), await simulate(7, all));
});

test("a seed of another version of the simulation says so", () => {
  const now = simulationVersion();
  assert.match(now, /^[0-9a-f]{8}$/);
  assert.equal(otherVersion(now, now), undefined);
  assert.equal(otherVersion(undefined, now), undefined);
  assert.match(otherVersion("00000000", now) ?? "", /version 00000000 of the simulation, and this is version/);
});
