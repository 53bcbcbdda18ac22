import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../../core/run/config.ts";
import { claiming } from "./claims.ts";
import { leavesOf } from "./schema-keys.ts";

/** Keys that decide how superteam works, and which models are paid; none of them runs, opens, hands out or raises anything. */
const harmless = [
  ...["backend", "model", "mode", "tdd", "complexity.*", "documents.commit", "execution.", "review."],
  ...[
    "agents.*.backend",
    "agents.*.model",
    "agents.*.thinking",
    "agents.*.timeoutMinutes",
    "agents.*.stuckMinutes",
    "agents.*.fallback",
  ],
];

for (const leaf of leavesOf(Config)) {
  test(`whether ${leaf} of a repository needs the person's trust is decided`, () => {
    const isHarmless = harmless.some((key) => leaf === key || (key.endsWith(".") && leaf.startsWith(key)));
    assert.notEqual(isHarmless, claiming.includes(leaf), "say so in claims.ts, or here if it can do no harm");
  });
}
