import assert from "node:assert/strict";
import { test } from "node:test";
import { redactor } from "./secrets.ts";

test("values of variables that are named like secrets are taken out, the longest first", () => {
  const redact = redactor({ A_KEY: "abcdefgh", B_TOKEN: "abcdefghijkl", PATH: "/usr/bin:/bin", SHORT_KEY: "abc" });
  assert.equal(redact("abcdefghijkl abcdefgh abc /usr/bin:/bin"), "[redacted] [redacted] abc /usr/bin:/bin");
});

test("what looks like a key is taken out without being known", () => {
  assert.equal(redactor({})(`key sk-${"a1B2".repeat(6)}!`), "key [redacted]!");
});

test("what is named like a secret but is a path stays readable", () => {
  assert.equal(redactor({ SSH_AUTH_SOCK: "/run/agent.sock" })("/run/agent.sock"), "/run/agent.sock");
});
