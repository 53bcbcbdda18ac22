// The code the scripted implementer writes, tests first. It is what the three tasks leave in the demo's repository.

export const bucketTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenBucket } from "../src/token-bucket.js";

test("a full bucket allows a burst up to its capacity", () => {
  const bucket = tokenBucket({ capacity: 3, refillPerSecond: 1, now: () => 0 });
  assert.deepEqual([1, 2, 3, 4].map(() => bucket.take().allowed), [true, true, true, false]);
});

test("tokens come back with time, never above the capacity", () => {
  let time = 0;
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 2, now: () => time });
  bucket.take();
  bucket.take();
  time = 500;
  assert.equal(bucket.take().allowed, true);
  assert.equal(bucket.take().allowed, false);
  time = 60000;
  assert.equal(bucket.take().remaining, 1);
});

test("an empty bucket says how long to wait", () => {
  const bucket = tokenBucket({ capacity: 1, refillPerSecond: 4, now: () => 0 });
  bucket.take();
  assert.deepEqual(bucket.take(), { allowed: false, remaining: 0, retryAfterMs: 250 });
});
`;

export const bucket = `// A token bucket: a burst up to the capacity, then as much as is refilled per second. The clock is given, so that
// tests need not wait.

export function tokenBucket({ capacity, refillPerSecond, now = Date.now }) {
  let tokens = capacity;
  let filledAt = now();

  return { take };

  function take() {
    refill();
    if (tokens < 1) return { allowed: false, remaining: 0, retryAfterMs: Math.ceil(((1 - tokens) / refillPerSecond) * 1000) };
    tokens -= 1;
    return { allowed: true, remaining: Math.floor(tokens), retryAfterMs: 0 };
  }

  function refill() {
    const time = now();
    tokens = Math.min(capacity, tokens + ((time - filledAt) / 1000) * refillPerSecond);
    filledAt = time;
  }
}
`;

export const middlewareTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { pipeline } from "../src/pipeline.js";
import { rateLimit } from "../src/rate-limit.js";

const service = (options) => pipeline([rateLimit({ now: () => 0, ...options })], () => ({ status: 200 }));

test("requests within the limit reach the handler", () => {
  const run = service({ capacity: 2, refillPerSecond: 1 });
  assert.equal(run({ remoteAddress: "10.0.0.1" }).status, 200);
});

test("a request over the limit is answered with 429 and retry-after", () => {
  const run = service({ capacity: 1, refillPerSecond: 0.5 });
  run({ remoteAddress: "10.0.0.1" });
  assert.deepEqual(run({ remoteAddress: "10.0.0.1" }), { status: 429, headers: { "retry-after": "2" } });
});
`;

/** The line that the review of the middleware stumbles over: everybody shares one bucket. */
export const sharedKey = '    const key = "everyone";';

/** What takes its place. */
export const clientKey = "    const key = clientIp(request);";

export const middleware = `// Middleware that limits how often a client may ask, with one token bucket per client.

import { tokenBucket } from "./token-bucket.js";

export function rateLimit({ capacity, refillPerSecond, now = Date.now }) {
  const buckets = new Map();

  return (request, next) => {
${sharedKey}
    const { allowed, retryAfterMs } = bucketOf(key).take();
    if (allowed) return next();
    return { status: 429, headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } };
  };

  function bucketOf(key) {
    if (!buckets.has(key)) buckets.set(key, tokenBucket({ capacity, refillPerSecond, now }));
    return buckets.get(key);
  }
}
`;

export const clientIpTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { clientIp } from "../src/client-ip.js";
import { pipeline } from "../src/pipeline.js";
import { rateLimit } from "../src/rate-limit.js";

test("the client is the first address of x-forwarded-for", () => {
  const request = { headers: { "X-Forwarded-For": "203.0.113.7, 10.0.0.1" }, remoteAddress: "10.0.0.1" };
  assert.equal(clientIp(request), "203.0.113.7");
});

test("without a proxy the client is the peer", () => {
  assert.equal(clientIp({ remoteAddress: "10.0.0.9" }), "10.0.0.9");
});

test("one client's burst does not use up another's tokens", () => {
  const limit = rateLimit({ capacity: 1, refillPerSecond: 1, now: () => 0 });
  const run = pipeline([limit], () => ({ status: 200 }));
  assert.equal(run({ remoteAddress: "10.0.0.1" }).status, 200);
  assert.equal(run({ remoteAddress: "10.0.0.1" }).status, 429);
  assert.equal(run({ remoteAddress: "10.0.0.2" }).status, 200);
});
`;

export const clientIp = `// Who is asking: behind a proxy the first forwarded address, else the peer of the connection.

import { header } from "./headers.js";

export function clientIp(request) {
  const forwarded = header(request, "x-forwarded-for");
  const first = forwarded?.split(",", 1)[0].trim();
  return first || request.remoteAddress || "unknown";
}
`;

export const bucketImport = 'import { tokenBucket } from "./token-bucket.js";';
export const clientImport = 'import { clientIp } from "./client-ip.js";';

/** The middleware as it is once clients are told apart. */
export const middlewarePerClient = middleware
  .replace(bucketImport, `${clientImport}\n${bucketImport}`)
  .replace(sharedKey, clientKey);

export const configTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { pipeline, rateLimit, rateLimitConfig } from "../src/index.js";

test("a limit per duration becomes a capacity and a refill rate", () => {
  assert.deepEqual(rateLimitConfig({ limit: 30, per: "1m" }), { capacity: 30, refillPerSecond: 0.5 });
});

test("without options a client has 60 requests per minute", () => {
  assert.deepEqual(rateLimitConfig(), { capacity: 60, refillPerSecond: 1 });
});

test("a limit that is not a positive number is refused", () => {
  assert.throws(() => rateLimitConfig({ limit: 0, per: "1s" }), RangeError);
});

test("a configured service limits each client and recovers", () => {
  let time = 0;
  const limit = rateLimit({ ...rateLimitConfig({ limit: 2, per: "1m" }), now: () => time });
  const run = pipeline([limit], () => ({ status: 200 }));
  const ask = () => run({ remoteAddress: "10.0.0.1" }).status;
  assert.deepEqual([ask(), ask(), ask()], [200, 200, 429]);
  time = 30000;
  assert.deepEqual([ask(), ask()], [200, 429]);
});
`;

export const config = `// Reads "so many requests per duration" as the numbers a token bucket works with.

import { duration } from "./duration.js";

export function rateLimitConfig({ limit = 60, per = "1m" } = {}) {
  if (!(limit > 0)) throw new RangeError(\`A limit of \${limit} would let nobody in\`);
  return { capacity: limit, refillPerSecond: limit / (duration(per) / 1000) };
}
`;

/** The unit that durations lack, which is why one test of the repository is red from the start. */
export const unitsBefore = "const units = { ms: 1, s: 1000 };";
export const unitsAfter = "const units = { ms: 1, s: 1000, m: 60000 };";

/** The README's last line before the work, and what follows it afterwards. */
export const readmeBefore = "    npm test";
export const readmeAfter = `${readmeBefore}

## Rate limiting

    const limit = rateLimit(rateLimitConfig({ limit: 30, per: "1m" }));
    const service = pipeline([limit], handler);

Each client IP (the first of x-forwarded-for, else the peer) has a token bucket of its own. Over the limit a request is
answered with 429 and retry-after.`;
