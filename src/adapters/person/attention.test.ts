import assert from "node:assert/strict";
import { test } from "node:test";
import { attentionSignal } from "./attention.ts";

test("U6: a terminal is called by its bell and by both kinds of notification, on one line without separators", () => {
  assert.equal(
    attentionSignal("A question waits:\nPlan; now\x1b[2J"),
    "\x07\x1b]9;A question waits: Plan, now\x1b\\\x1b]777;notify;superteam;A question waits: Plan, now\x1b\\",
  );
});
