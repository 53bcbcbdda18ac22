import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../../test/rig/property.ts";
import { retryAfter } from "./retry-after.ts";

const now = Date.parse("2026-11-15T12:00:00Z");
const hour = 3_600_000;

const said: readonly (readonly [string, number | undefined])[] = [
  ["429 retry-after: 7", 7_000],
  ["429 Retry-After: 86400", 24 * hour],
  ["429 retry-after-ms: 1500", 1_500],
  ["429 Please try again in 1.5s.", 1_500],
  ['429 {"retryDelay":"34s"}', 34_000],
  ["Please retry in 34.074824224s.", 34_075],
  ["429 try again in 20ms", 20],
  ["429 try again in 2m", 120_000],
  ["Rate limit reached. Please try again in 6m0s. Visit the console.", 360_000],
  ["Please try again in 1h2m3.5s", hour + 123_500],
  ["You have hit your ChatGPT usage limit (plus plan). Try again in ~214 min.", 214 * 60_000],
  ["5-hour usage limit reached. Resets in 2 hours 30 minutes.", 2.5 * hour],
  ["Weekly limit reached, resets in 3 days, 4 hours and 5 minutes", 76 * hour + 300_000],
  ["Server requested 3600s retry delay (max: 60s). 429 Too Many Requests", hour],
  ['429 {"error":{"type":"usage_limit_reached","resets_at":1794744000}}', 1_794_744_000_000 - now],
  ['429 {"resetsAt":1794744000000}', 1_794_744_000_000 - now],
  ['429 {"reset_at": "2026-11-15T17:00:00Z"}', 5 * hour],
  ["429 retry-after: Sun, 15 Nov 2026 13:00:00 GMT", hour],
  ["Claude AI usage limit reached|1794744000", 1_794_744_000_000 - now],
  ["429 retry-after: Sun, 15 Nov 2026 11:00:00 GMT", undefined],
  ["429 retry-after: soon", undefined],
  ["429 retry-after: -5", undefined],
  ["429 slow down", undefined],
  ["The bucket resets at noon.", undefined],
  ["", undefined],
];

for (const [message, ms] of said) {
  test(`"${message}" asks for ${ms === undefined ? "no time in particular" : `${ms} ms`}`, () => {
    assert.equal(retryAfter(message, now), ms);
  });
}

test("whatever a provider says, the time is a finite one that is not negative, or none", () => {
  const words = fc.constantFrom("retry after ", "try again in ", "resets_at:", "retry-after-ms: ", "limit reached|");
  fc.assert(
    fc.property(words, fc.oneof(fc.string(), fc.stringMatching(/^[\d.:\-hms ]{0,40}$/)), (start, rest) => {
      const ms = retryAfter(`${start}${rest}`, now);
      assert.ok(ms === undefined || (Number.isFinite(ms) && ms >= 0), `${ms}`);
    }),
  );
});
