// The plan file the scripted planner writes: a header, a heading per task, and one block with the tasks.

import { stringify } from "yaml";
import type { z } from "zod";
import type { Task } from "../../core/plan/plan.ts";
import { goal } from "./brainstorm-texts.ts";
import { bucketTest, configTest, middlewareTest } from "./code.ts";
import type { Replacement } from "./scene.ts";

export const tasks: readonly z.input<typeof Task>[] = [
  {
    id: 1,
    title: "Token bucket",
    description:
      "Write src/token-bucket.js: tokenBucket({ capacity, refillPerSecond, now }) with take(), which gives allowed, " +
      "remaining and retryAfterMs. The clock is a parameter. Test first, in test/token-bucket.test.js. Export it from src/index.js.",
    files: ["src/token-bucket.js", "test/token-bucket.test.js", "src/index.js"],
    criteria: [
      "A full bucket allows a burst up to its capacity and no more",
      "Tokens come back with time, never above the capacity",
      "An empty bucket says in retryAfterMs how long to wait",
    ],
    commands: ["node --test test/token-bucket.test.js"],
    covers: ["R1"],
    dependsOn: [],
    complexity: "medium",
    tdd: "required",
  },
  {
    id: 2,
    title: "Rate limiting middleware",
    description:
      "Write src/rate-limit.js: rateLimit({ capacity, refillPerSecond, now }), middleware for the pipeline with one bucket " +
      "per client IP: the first address of x-forwarded-for, else request.remoteAddress. Over the limit it answers 429 with " +
      "retry-after in whole seconds. Test first. Export everything from src/index.js.",
    files: [
      "src/rate-limit.js",
      "src/client-ip.js",
      "test/rate-limit.test.js",
      "test/client-ip.test.js",
      "src/index.js",
    ],
    criteria: [
      "A request over the limit is answered with 429 and retry-after",
      "Each client IP has a bucket of its own, x-forwarded-for first",
    ],
    commands: ["node --test test/rate-limit.test.js"],
    covers: ["R2", "R3"],
    dependsOn: [1],
    complexity: "hard",
    tdd: "required",
  },
  {
    id: 3,
    title: "Configuration and tests",
    description:
      "Write src/config.js: rateLimitConfig({ limit = 60, per = '1m' }), which gives capacity and refillPerSecond and " +
      "refuses a limit that is not positive. src/duration.js has to learn minutes, which its own test already asks for. Test " +
      "a configured service from end to end in test/config.test.js. Say in README.md how it is used. Afterwards every test " +
      "of the repository passes.",
    files: ["src/config.js", "src/duration.js", "test/config.test.js", "src/index.js", "README.md"],
    criteria: [
      "A limit per duration, minutes included, becomes capacity and refill rate",
      "A configured service limits each client and recovers with time",
      "Every test of the repository passes",
      "README.md says how to use it",
    ],
    commands: ["node --test"],
    covers: ["R4", "R5"],
    dependsOn: [1, 2],
    complexity: "easy",
    tdd: "required",
  },
];

/** What the first draft of the plan forgets: the last task tests what the second one builds. */
export const forgotten = {
  draft: "  dependsOn:\n    - 1\n  complexity: easy\n",
  mended: "  dependsOn:\n    - 1\n    - 2\n  complexity: easy\n",
} as const;

/** The plan before anybody has reviewed it. */
export function firstDraft(required: readonly string[]): string {
  return planText(required).replace(forgotten.mended, forgotten.draft);
}

/** `required` are the ids of the design's requirements. */
export function planText(required: readonly string[]): string {
  const covering = tasks.map(({ description: _, ...task }) => {
    return { ...task, covers: [...coveredBy(task, required)] };
  });
  return `# ${goal}

**Goal:** Requests beyond a configured rate are answered with 429, for each client on its own.

**Architecture:** A pure token bucket; middleware for the existing pipeline that keeps one bucket per client IP; a
reader for the configuration. One module each, exported from \`src/index.js\`.

${lastOfHeader}

${tasks.map(taskText).join("\n")}
${fenced("superteam-tasks", stringify(covering, { lineWidth: 100 }).trimEnd(), "````")}
`;
}

const lastOfHeader = "**Tech Stack:** Plain JavaScript (ES modules), `node --test`, no dependencies.";

/** What a person wants changed is noted in the document. */
export function noteInHeader(remarks: string): Replacement {
  const note = `**Changed on request:** ${remarks.replaceAll("\n", " ")}`;
  return { oldText: `${lastOfHeader}\n`, newText: `${lastOfHeader}\n\n${note}\n` };
}

/** Where the goal itself is the one requirement, every task works towards it. */
function coveredBy(
  { covers = [] }: Pick<z.input<typeof Task>, "covers">,
  required: readonly string[],
): readonly string[] {
  const own = covers.filter((id) => required.length === 0 || required.includes(id));
  return own.length > 0 ? own : required.slice(0, 1);
}

const tests: Readonly<Record<number, string>> = { 1: bucketTest, 2: middlewareTest, 3: configTest };

function taskText({ id, title, description, commands }: z.input<typeof Task>): string {
  const [command = "node --test"] = commands ?? [];
  return `### Task ${id}: ${title}

${description}

1. Write the failing test:

${fenced("js", (tests[id] ?? "").trimEnd(), "```")}

2. Run \`${command}\`: it fails.
3. Write the code, run \`${command}\` again: it passes.
4. Clean up.
`;
}

function fenced(tag: string, text: string, fence: string): string {
  return `${fence}${tag}\n${text}\n${fence}`;
}
