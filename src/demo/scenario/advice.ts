// The advisers' part: what a security and a performance reviewer see in the code of a task. Their findings are real but do not block: they are
// recorded, and the report lists them.

import { filesOf, type Need, review, type Words } from "./review.ts";
import type { Scene } from "./scene.ts";

export function securityReview(task: string): Scene {
  return advise(task, [forgedAddress], {
    passed: "Nothing from outside gets further than it should.",
    failed: "Clients can choose the address they are counted under.",
  });
}

export function performanceReview(task: string): Scene {
  return advise(task, [endlessBuckets], {
    passed: "Nothing here grows faster than its input.",
    failed: "What is kept per client is never given up.",
  });
}

function advise(task: string, needs: readonly Need[], words: Words): Scene {
  return review(
    filesOf(task).filter((file) => file.startsWith("src/")),
    needs,
    words,
  );
}

const forwarded = '  const forwarded = header(request, "x-forwarded-for");';

const forgedAddress: Need = {
  given: "src/client-ip.js",
  file: "src/client-ip.js",
  shows: /trustedProxies/,
  finding: () => ({
    rule: "unsafe",
    severity: "medium",
    anchor: { file: "src/client-ip.js", quote: forwarded.trim() },
    what: "x-forwarded-for is believed from anyone: without a proxy in front, a new address is a new bucket.",
    fix: "Take the header from known proxies only.",
  }),
};

const endlessBuckets: Need = {
  given: "src/rate-limit.js",
  file: "src/rate-limit.js",
  shows: /buckets\.delete\(/,
  finding: () => ({
    rule: "slow",
    severity: "medium",
    anchor: { file: "src/rate-limit.js", quote: "const buckets = new Map();" },
    what: "A bucket is kept for every address that ever asked, and never removed: memory grows with the clients.",
    fix: "Remove a bucket once it is full again.",
  }),
};
