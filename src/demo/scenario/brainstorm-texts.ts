// What the scripted brainstormer proposes for "Add rate limiting with token bucket algorithm".

import type { z } from "zod";
import type { Approaches, BrainstormQuestions, Design, DesignPage, Section } from "../../core/plan/brainstorm.ts";
import type { Triage } from "../../core/plan/triage.ts";

export const goal = "Add rate limiting with token bucket algorithm";

export const proposal: z.input<typeof Triage> = {
  mode: "standard",
  reason:
    "It is a feature with choices of its own: what to answer, where to keep the buckets, how clients are told apart.",
  files: ["src/pipeline.js", "src/index.js"],
};

export const questions: z.input<typeof BrainstormQuestions> = {
  type: "questions",
  questions: [
    {
      id: "over-limit",
      text: "What should happen to a request over the limit?",
      type: "choice",
      options: ["Answer 429 with retry-after", "Hold it back until a token is free", "Close the connection"],
    },
    {
      id: "state",
      text: "Where are the buckets kept?",
      type: "choice",
      options: ["In memory, per process", "In a shared store"],
    },
    {
      id: "default-limit",
      text: "How much may a client ask for when nothing is configured?",
      type: "input",
      placeholder: "60 requests per minute",
    },
  ],
};

export const approaches: z.input<typeof Approaches> = {
  type: "approaches",
  approaches: [
    {
      id: "middleware",
      title: "A bucket, and middleware around it",
      summary:
        "A pure token bucket with a given clock; middleware for the existing pipeline that keeps one per client.",
      tradeoffs: "Three small modules instead of one. Each can be tested without waiting.",
      taskEstimate: 3,
    },
    {
      id: "single-module",
      title: "Everything in one module",
      summary: "The middleware counts by itself and reads its options.",
      tradeoffs: "Less to read at first; the arithmetic can only be tested through requests.",
      taskEstimate: 2,
    },
  ],
  recommendation: "middleware",
  reasoning: "The repository keeps one concept per module, and the arithmetic deserves tests of its own.",
};

const bucketSection: z.input<typeof Section> = {
  id: "bucket",
  title: "The bucket and the middleware",
  content:
    "`tokenBucket({ capacity, refillPerSecond, now })` holds tokens and is asked with `take()`. `rateLimit(options)` is " +
    "middleware for the pipeline: it takes a token per request and answers 429 when there is none.",
  requirements: [
    { id: "R1", text: "A bucket allows a burst up to its capacity and refills with time, never above the capacity." },
    { id: "R2", text: "A request over the limit is answered with 429 and a retry-after header in whole seconds." },
  ],
};

/** The first draft of this section is what the scripted person turns down: it forgets the proxy. */
const clientSection: z.input<typeof Section> = {
  id: "clients",
  title: "Telling clients apart",
  content:
    "Each client has a bucket of its own, so that one client's burst does not use up another's tokens. A client is an IP " +
    "address: the peer of the connection.",
  requirements: [{ id: "R3", text: "Every client IP has a bucket of its own." }],
};

export const clientSectionRevised: z.input<typeof Section> = {
  id: "clients",
  title: "Telling clients apart",
  content:
    "Each client has a bucket of its own, so that one client's burst does not use up another's tokens. A client is an IP " +
    "address: the first one of `x-forwarded-for` when there is a proxy in front, else the peer of the connection.",
  requirements: [
    { id: "R3", text: "Every client IP has a bucket of its own: the first address of x-forwarded-for, else the peer." },
  ],
};

const configSection: z.input<typeof Section> = {
  id: "configuration",
  title: "Configuration and tests",
  content:
    "`rateLimitConfig({ limit, per })` turns '30 per 1m' into capacity and refill rate, with 60 per minute when nothing is " +
    "given. Durations have to learn minutes for that, which also fixes the one test that is red today.",
  requirements: [
    {
      id: "R4",
      text: "A limit per duration, minutes included, configures the middleware; the default is 60 per minute.",
    },
    { id: "R5", text: "All tests of the repository pass." },
  ],
};

export const design: z.input<typeof Design> = {
  type: "design",
  sections: [bucketSection, clientSection, configSection],
};

/** All of it as one section, for a run in which nobody was asked anything. */
export const designPage: z.input<typeof DesignPage> = {
  type: "design",
  sections: [
    {
      id: "rate-limiting",
      title: "Rate limiting",
      content: [
        ...[bucketSection, clientSectionRevised, configSection].map(({ content }) => content),
        "Chosen without asking: 429 instead of waiting, buckets in memory, and x-forwarded-for, because there may be a proxy.",
      ].join("\n\n"),
      requirements: [bucketSection, clientSectionRevised, configSection].flatMap(
        ({ requirements = [] }) => requirements,
      ),
    },
  ],
};

/** What the scripted person says about the second section. */
export const clientFeedback =
  "There is a proxy in front of the service, so the peer is always the proxy. Take the first address of x-forwarded-for.";
