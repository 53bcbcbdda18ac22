import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatchFailureKind } from "../../../core/dispatch.ts";
import { diagnose } from "./failure.ts";

const said: readonly (readonly [string, DispatchFailureKind])[] = [
  ['429 {"type":"error","error":{"type":"rate_limit_error"}}', "rate-limited"],
  ["429 Too Many Requests", "rate-limited"],
  ["Rate limit reached for requests", "rate-limited"],
  ['429 {"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}', "billing"],
  ['400 {"error":{"message":"Your credit balance is too low"}}', "billing"],
  ["402 Payment Required", "billing"],
  ['403 {"error":"billing is not enabled"}', "billing"],
  ["401 invalid x-api-key", "auth"],
  ["403 Forbidden", "auth"],
  ["No API key found for anthropic.", "auth"],
  ["No models available. Use /login to log into a provider", "auth"],
  ['529 {"error":{"type":"overloaded_error"}}', "overloaded"],
  ["503 Service Unavailable", "overloaded"],
  ["500 status code (no body)", "overloaded"],
  ["Overloaded", "overloaded"],
  ['Error: Model "nope/x" not found. Use --list-models to see available models.', "wrong-model"],
  ['404 {"error":{"message":"model: nope"}}', "wrong-model"],
  ["terminated", "crashed"],
  ["Anthropic stream ended without a stop reason", "crashed"],
  ["Request timed out.", "crashed"],
  ["prompt is too long: 250000 tokens > 200000 maximum", "crashed"],
  ["", "crashed"],
];

for (const [message, kind] of said) {
  test(`"${message.slice(0, 60)}" is ${kind}`, () => assert.equal(diagnose(message).kind, kind));
}

test("how long to wait is taken from the message, in its unit", () => {
  const waits = [
    "429 retry-after: 7",
    "429 Please try again in 1.5s.",
    '429 {"retryDelay":"34s"}',
    "429 try again in 20ms",
  ];
  assert.deepEqual(
    waits.map((message) => diagnose(message).retryAfterMs),
    [7_000, 1_500, 34_000, 20],
  );
  assert.equal(diagnose("429 try again in 2m").retryAfterMs, 120_000);
  assert.equal(diagnose("429 slow down").retryAfterMs, undefined);
});
