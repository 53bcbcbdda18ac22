// The progress file, and what it shares with the snapshot.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  atRefusal,
  Pen,
  planReview,
  untilPlan,
  untilQuestion,
  untilTask2,
  viewAt,
  viewOf,
} from "../../../../test/rig/sample-journal.ts";
import type { Ending } from "../../../ports/journal.ts";
import { formatProgress } from "./progress.ts";
import { toSnapshot } from "./snapshot.ts";

test("the progress file shows the status, each phase's boxes, the tasks and the log", () => {
  assert.equal(
    formatProgress(viewOf(untilTask2().entries)),
    `# Workflow: Add rate limiting

**Status:** Executing (task 2/3) | **Cost:** $1.70 | **Started:** 2026-02-07 13:52 UTC

## Brainstorm
- [x] Scout codebase
- [x] Requirements (2 questions answered)
- [x] Approach: Middleware
- [x] Design validated (2/2 sections)
- [x] Design: docs/plans/2026-02-07-rate-design.md

## Plan
- [x] Plan: docs/plans/2026-02-07-rate-plan.md
- [x] Architect review: ✓
- [x] Spec review: ✓
- [x] Approved by user

## Config
- Execution: auto | Review: iterative | TDD: required

## Tasks
- [x] 1. Token bucket — spec ✓ quality ✓ ($0.48)
- [ ] 2. Middleware — reviewing... ($1.07)
- [ ] 3. Configuration

## Cost
- brainstorm: $0.15 (2 agent calls)
- execute: $1.55 (5 agent calls)

## Log
- 13:52 — Workflow started
- 13:53 — Scout completed
- 13:54 — Design approved
- 13:54 — Plan written (3 tasks)
- 13:54 — Plan review passed
- 13:54 — Plan approved
- 13:54 — Task 1 started
- 13:55 — Task 1 complete ($0.48)
- 13:55 — Task 2 started
- 13:57 — Task 2: spec-reviewer asks for changes (1 finding)
`,
  );
});

test("what has not happened yet is an empty box, and a section that is not approved counts as open", () => {
  const text = formatProgress(viewOf(untilQuestion().entries));
  assert.match(text, /\*\*Status:\*\* Brainstorming \(questions 1\/2\)/);
  assert.match(
    text,
    /- \[x\] Scout codebase\n- \[ \] Requirements\n- \[ \] Approach\n- \[ \] Design validated\n- \[ \] Design\n/,
  );
  assert.doesNotMatch(text, /## Tasks|## Config/);
});

test("a box is ticked when all of it is done: every question answered, every section agreed to", () => {
  const asked = viewAt(untilPlan(), (fact) => fact.type === "brainstorm.answer");
  assert.match(formatProgress(asked), /- \[ \] Requirements \(1 question answered\)\n- \[ \] Approach\n/);
  const refused = formatProgress(atRefusal());
  assert.match(refused, /\*\*Status:\*\* Brainstorming \(design 2\/2\)/);
  assert.match(
    refused,
    /- \[x\] Requirements \(2 questions answered\)\n- \[x\] Approach: Middleware\n- \[ \] Design validated \(1\/2 sections\)\n- \[ \] Design\n/,
  );
});

test("a task that was skipped, or waits for the person, says so and has an empty box", () => {
  const pen = untilTask2().fact("execute/task-2", { type: "task.status", task: "2", status: "escalated", round: 1 });
  assert.match(formatProgress(viewOf(pen.entries)), /- \[ \] 2\. Middleware — escalated \(\$1\.07\)\n/);
  pen.fact("execute/task-2", { type: "task.settled", task: "2", status: "skipped", commit: null, rounds: 1 });
  assert.match(formatProgress(viewOf(pen.entries)), /- \[ \] 2\. Middleware — skipped \(\$1\.07\)\n/);
});

test("the status says how the run ended", () => {
  const failure = { kind: "impossible", step: "plan-write", detail: "no tasks" } as const;
  const endings: readonly (readonly [Ending, string])[] = [
    [{ how: "finished", value: null }, "Complete"],
    [{ how: "failed", failure }, "Failed"],
    [{ how: "aborted", detail: "enough" }, "Aborted"],
  ];
  for (const [ending, word] of endings) {
    const text = formatProgress(viewOf(untilQuestion().add({ type: "end", ending }).entries));
    assert.ok(text.includes(`**Status:** ${word} |`), text);
  }
  const reported = untilQuestion().fact("finalize", { type: "report", text: "done" });
  assert.match(formatProgress(viewOf(reported.entries)), /\*\*Status:\*\* Complete \|/);
});

test("a plan's reviews are boxes that a revision empties, and what was found is counted", () => {
  const lines = (pen: Pen) =>
    /## Plan\n([^#]*)\n/
      .exec(formatProgress(viewOf(pen.entries)))?.[1]
      ?.trim()
      .split("\n");
  const tasks = [{ id: "1", title: "t" }];
  const pen = new Pen().run("g").fact("plan-write", { type: "plan.written", path: "p.md", tasks });
  assert.deepEqual(lines(pen), [
    "- [x] Plan: p.md",
    "- [ ] Architect review",
    "- [ ] Spec review",
    "- [ ] Approved by user",
  ]);
  pen.fact("plan-review", planReview("architect", "approved"));
  pen.fact("plan-review", planReview("spec-reviewer", "needs_revision", 0, ["F1 a", "F2 b"]));
  assert.deepEqual(lines(pen)?.slice(1, 3), ["- [x] Architect review: ✓", "- [ ] Spec review: ✗ (2 findings)"]);
  pen.fact("plan-review", { type: "plan.written", path: "p.md", tasks });
  assert.deepEqual(lines(pen)?.slice(1, 3), ["- [ ] Architect review", "- [ ] Spec review"]);
  for (const role of ["spec-reviewer", "architect"]) pen.fact("plan-review", planReview(role, "approved", 1));
  const { log } = viewOf(pen.entries);
  assert.deepEqual(
    log.map(({ text }) => text),
    [
      "Workflow started",
      "Plan written (1 task)",
      "Plan review: spec-reviewer asks for changes (2 findings)",
      "Plan revised (1 task)",
      "Plan review passed",
    ],
  );
});

test("the configuration is shown once it is decided, batches with their size", () => {
  const pen = new Pen().run("g");
  assert.doesNotMatch(formatProgress(viewOf(pen.entries)), /## Config/);
  pen.fact("configure", { type: "configured", execution: "batch", batchSize: 3, review: "single-pass" });
  assert.match(
    formatProgress(viewOf(pen.entries)),
    /## Config\n- Execution: batch of 3 \| Review: single-pass \| TDD: required\n/,
  );
  const { config, planReviewCycles } = toSnapshot(
    viewOf(pen.fact("plan-review", planReview("architect", "approved", 2)).entries),
  );
  assert.deepEqual(config, { tddMode: "tdd", reviewMode: "single-pass", executionMode: "batch", batchSize: 3 });
  assert.equal(planReviewCycles, 2);
});

test("progress file and snapshot say whether tests come first", () => {
  const shown = (config: object) => {
    const pen = new Pen().run("g").begin("configure/config:#1", { do: "config" }).settle("configure/config:#1", config);
    pen.fact("configure", { type: "configured", execution: "auto", batchSize: null, review: "iterative" });
    const view = viewOf(pen.entries);
    return [/TDD: .*/.exec(formatProgress(view))?.[0], toSnapshot(view).config.tddMode];
  };
  assert.deepEqual(shown({ tdd: "off" }), ["TDD: off", "off"]);
  assert.deepEqual(shown({ tdd: "required" }), ["TDD: required", "tdd"]);
});

test("U13: a design that is the goal itself was written, not approved", () => {
  const pen = new Pen().run("g");
  pen.fact("brainstorm", { type: "design.written", path: "docs/plans/x-design.md" });
  assert.equal(viewOf(pen.entries).log.at(-1)?.text, "Design written");
});

test("text from agents cannot break the lines of the progress file", () => {
  const pen = new Pen().run("Add\n# a heading\u001b[31m");
  assert.match(formatProgress(viewOf(pen.entries)), /^# Workflow: Add # a heading\n/);
});
