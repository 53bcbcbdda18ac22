// The fixed set of seeds in its long form. What it does not reach it has not shown: then it fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign, unseenIn } from "../simulation/campaign.ts";

test("no run violates a promise, and everything that can go wrong did", async () => {
  const played = await campaign({ from: 1, seeds: 30 });
  assert.deepEqual(played.found, []);
  assert.deepEqual(unseenIn(played), [], "what never went wrong was not shown to be survived");
});
