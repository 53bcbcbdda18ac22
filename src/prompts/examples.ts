// One real answer per kind, as an agent would give it. Prompts show them instead of a grammar; a test reads each back.

import type { z } from "zod";
import type { Approaches, BrainstormQuestions, Design, RevisedSection } from "../core/plan/brainstorm.ts";
import type { Reassessment } from "../core/plan/parts.ts";
import type { Triage } from "../core/plan/triage.ts";
import type { WriterReport } from "../core/plan/writer-report.ts";
import type { FinalReview, Review } from "../core/review/review.ts";

const quoted = { file: "src/limit.ts", quote: "return next();" };
const resolutions = [{ id: "F1", state: "resolved", quote: "if (!bucket.take()) return refuse(429);" }];

export const examples = {
  review: {
    findings: [
      {
        rule: "missing",
        severity: "high",
        anchor: quoted,
        what: "A client over the limit is let through.",
        fix: "Answer 429 before next().",
      },
      {
        rule: "untested",
        severity: "medium",
        anchor: { requirement: "C2" },
        what: "No test shows that tokens refill.",
      },
    ],
    resolutions,
    summary: "One criterion is not met.",
    passed: false,
  } satisfies z.input<typeof Review>,
  quality: {
    findings: [
      {
        rule: "incorrect",
        severity: "high",
        anchor: { file: "src/bucket.ts", quote: "tokens += elapsed * rate;" },
        what: "After a pause a bucket holds more tokens than its size.",
        fix: "Cap it at the bucket's size.",
      },
      {
        rule: "untested",
        severity: "medium",
        anchor: { file: "test/bucket.test.ts", quote: "assert.ok(bucket);" },
        what: "The test passes whatever take() returns.",
      },
    ],
    resolutions,
    summary: "A bucket can overflow, and no test would notice.",
    passed: false,
  } satisfies z.input<typeof Review>,
  security: {
    findings: [
      {
        rule: "unsafe",
        severity: "high",
        anchor: { file: "src/limit.ts", quote: 'const client = request.headers["x-forwarded-for"];' },
        what: "A client gets a new bucket with every request by changing this header.",
        fix: "Trust the header only behind a configured proxy.",
      },
    ],
    resolutions,
    summary: "The limit can be bypassed.",
    passed: false,
  } satisfies z.input<typeof Review>,
  performance: {
    findings: [
      {
        rule: "slow",
        severity: "high",
        anchor: { file: "src/limit.ts", quote: "buckets.find((bucket) => bucket.client === client)" },
        what: "Every request searches all buckets: at 100,000 clients that takes longer than the request.",
        fix: "Keep them in a Map by client.",
      },
    ],
    resolutions,
    summary: "The search grows with the number of clients.",
    passed: false,
  } satisfies z.input<typeof Review>,
  final: {
    findings: [
      {
        category: "cross-task",
        severity: "high",
        anchor: quoted,
        what: "Task 1 counts in seconds, task 2 in milliseconds.",
        fix: "Use milliseconds in both.",
      },
    ],
    resolutions,
    summary: "The parts do not fit together.",
    passed: false,
  } satisfies z.input<typeof FinalReview>,
  triage: {
    mode: "standard",
    title: "Limit requests per client",
    reason: "Several modules change, and the behaviour behind a proxy is undecided.",
    files: ["src/limit.ts", "test/limit.test.ts"],
    testing: "required",
    breadth: "one",
    parts: [],
  } satisfies z.input<typeof Triage>,
  reassessment: {
    holds: false,
    reassessment: "Part 1 already reads the configuration: part 3 needs only its documentation.",
  } satisfies z.input<typeof Reassessment>,
  questions: {
    type: "questions",
    questions: [
      {
        id: "key",
        text: "What identifies a client?",
        type: "choice",
        options: ["Its address", "Its API key"],
        recommended: "Its API key",
      },
      { id: "limit", text: "How many requests per minute?", type: "input", placeholder: "60" },
    ],
  } satisfies z.input<typeof BrainstormQuestions>,
  approaches: {
    type: "approaches",
    approaches: [
      {
        id: "middleware",
        title: "Middleware",
        summary: "One bucket per client in memory.",
        tradeoffs: "Simple; limits hold per instance.",
        taskEstimate: 3,
      },
      {
        id: "store",
        title: "Shared store",
        summary: "Buckets in Redis.",
        tradeoffs: "Exact across instances; one more service to run.",
        taskEstimate: 5,
      },
    ],
    recommendation: "middleware",
    reasoning: "The service runs as one instance.",
  } satisfies z.input<typeof Approaches>,
  design: {
    type: "design",
    sections: [
      {
        id: "architecture",
        title: "Architecture",
        content: "A pure token bucket and a middleware that keeps one per client.",
        requirements: [{ id: "R1", text: "Each client has a bucket of its own." }],
      },
    ],
  } satisfies z.input<typeof Design>,
  section: {
    type: "section",
    section: {
      id: "architecture",
      title: "Architecture",
      content: "A pure token bucket, and a middleware with one per API key.",
      requirements: [{ id: "R1", text: "Each API key has a bucket of its own." }],
    },
  } satisfies z.input<typeof RevisedSection>,
  report: {
    status: "done",
    summary: "Requests over the limit get 429 with retry-after; one bucket per client.",
    concerns: ["Buckets of clients that are gone are never removed."],
    disputed: [{ id: "F2", why: "The header is set in src/http.ts, line 40." }],
  } satisfies z.input<typeof WriterReport>,
  dispute: {
    disputed: [{ id: "F1", why: "Task 2 builds only on task 1, which it names in dependsOn." }],
  } satisfies z.input<typeof WriterReport>,
};
