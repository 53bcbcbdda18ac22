// Two seeds of every profile of the simulation, as tests: whole runs in which everything goes wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "../../test/simulation/campaign.ts";
import { profiles } from "../../test/simulation/profiles.ts";

for (const name of Object.keys(profiles)) {
  for (const from of [1, 2]) {
    test(`nothing is violated in seed ${from} of ${name}`, async () => {
      const { found } = await campaign({ from, seeds: 1, profiles: [name] });
      assert.deepEqual(found, []);
    });
  }
}
