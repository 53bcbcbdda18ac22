import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatchFailureKind } from "../../../core/flow/dispatch.ts";
import { diagnose } from "./failure.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

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
  ["Connection error.", "unreachable"],
  ["fetch failed", "unreachable"],
  ["connect ECONNREFUSED 127.0.0.1:443", "unreachable"],
  ["getaddrinfo ENOTFOUND api.anthropic.com", "unreachable"],
  ["getaddrinfo EAI_AGAIN api.anthropic.com", "unreachable"],
  ["read ECONNRESET", "overloaded"],
  ["socket hang up", "overloaded"],
  ["Request timed out.", "overloaded"],
  ['Error: Model "nope/x" not found. Use --list-models to see available models.', "wrong-model"],
  ['404 {"error":{"message":"model: nope"}}', "wrong-model"],
  ["terminated", "overloaded"],
  ["Anthropic stream ended without a stop reason", "overloaded"],
  ["Anthropic stream ended before message_stop", "overloaded"],
  ["Stream ended without finish_reason", "overloaded"],
  ["Unexpected end of JSON input", "overloaded"],
  ["read ECONNRESET", "overloaded"],
  ["prompt is too long: 250000 tokens > 200000 maximum", "crashed"],
  ["", "crashed"],
];

for (const [message, kind] of said) {
  test(`"${message.slice(0, 60)}" is ${kind}`, () => assert.equal(diagnose(message, now).kind, kind));
}

test("how long to wait is told of what passes, and only of that", () => {
  assert.deepEqual(diagnose("429 retry-after: 7", now), { kind: "rate-limited", retryAfterMs: 7_000 });
  assert.deepEqual(diagnose("529 overloaded, retry after 3s", now), { kind: "overloaded", retryAfterMs: 3_000 });
  assert.deepEqual(diagnose("401 unauthorized, retry after 3s", now), { kind: "auth" });
  assert.equal(diagnose("429 slow down", now).retryAfterMs, undefined);
});

test("a quota that comes back at a known time is a rate limit, and one that does not is a matter of money", () => {
  const limit = "You have hit your ChatGPT usage limit (plus plan).";
  assert.deepEqual(diagnose(limit, now), { kind: "billing" });
  assert.deepEqual(diagnose(`${limit} Try again in ~214 min.`, now), {
    kind: "rate-limited",
    retryAfterMs: 214 * 60_000,
  });
  const quota = "429 You exceeded your current quota, please check your plan and billing details.";
  assert.deepEqual(diagnose(quota, now), { kind: "billing" });
  assert.equal(diagnose(`${quota} Please retry in 34.07s.`, now).kind, "rate-limited");
});
