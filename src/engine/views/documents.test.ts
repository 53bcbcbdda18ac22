// The texts a run leaves behind: the progress file, the report and the snapshot.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Verdict } from "../../core/review.ts";
import { formatProgress } from "./progress.ts";
import { formatReport } from "./report.ts";
import {
  anchor,
  Pen,
  planReview,
  untilPlan,
  untilQuestion,
  untilTask2,
  viewOf,
  wholeRun,
} from "./sample-journal.test.ts";
import { toSnapshot } from "./state.ts";

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
- Execution: auto | Review: iterative | TDD: asked for

## Tasks
- [x] 1. Token bucket — spec ✓ quality ✓ ($0.48)
- [ ] 2. Middleware — reviewing... ($1.07)
- [ ] 3. Configuration

## Cost
- brainstorm: $0.15 (2 dispatches)
- execute: $1.55 (5 dispatches)

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
    /## Config\n- Execution: batch of 3 \| Review: single-pass \| TDD: asked for\n/,
  );
  const { config, planReviewCycles } = toSnapshot(
    viewOf(pen.fact("plan-review", planReview("architect", "approved", 2)).entries),
  );
  assert.deepEqual(config, { tddMode: "tdd", reviewMode: "single-pass", executionMode: "batch", batchSize: 3 });
  assert.equal(planReviewCycles, 2);
});

test("the scout's line says how many files its map names", () => {
  const logged = (text: string) =>
    viewOf(new Pen().run("g").dispatch("brainstorm/dispatch:scout#1", "scout", 0, text).entries).log.at(-1)?.text;
  const map =
    "- `package.json`: scripts\n- src/a.ts and ./src/a.ts, src/deep/b.test.ts:12\nSee https://example.org/x.html, e.g. v1.2";
  assert.equal(logged(map), "Scout completed (3 files mapped)");
  assert.equal(logged("Nothing here."), "Scout completed");
  assert.equal(logged("a".repeat(500_000)), "Scout completed");
});

test("text from agents cannot break the lines of the progress file", () => {
  const pen = new Pen().run("Add\n# a heading\u001b[31m");
  assert.match(formatProgress(viewOf(pen.entries)), /^# Workflow: Add # a heading\n/);
});

test("the report lists tasks with cost, commit, time and rounds, and what was waived and deferred", () => {
  assert.equal(
    formatReport(viewOf(wholeRun().entries)),
    `# Workflow Complete

Add rate limiting

## Tasks
✅ Token bucket (1aaaaaa, $0.48, 1m 00s, 0 fix rounds, spec ✓, quality ✓)
✅ Middleware (2aaaaaa, $1.27, 1h 03m, 1 fix round, spec ✓, quality ✓)
⏭️ Configuration (skipped, $0.00, 0s, 0 fix rounds)

## Stats
- 2 completed
- 1 skipped
- 0 escalated
- Total cost: $1.90 (partly estimated)
- Outside implementation: 33 % of the cost
- Phases: brainstorm $0.15, execute $1.75
- Models: fake/opus 8 dispatches, $1.90
- Tokens: 800 in, 80 out; control tokens: 0
- Dispatches: 8 (scout 1, $0.10; brainstormer 1, $0.05; implementer 3, $1.28; spec-reviewer 3, $0.47)
- Elapsed: 1h 06m (6m 00s at work, in 2 sessions)

## Final Review
Passed.

## Waivers
- execute/task-3: skipped by you

## Deferred Findings
- Task 2: style: a long line

## Documents
- Design: docs/plans/2026-02-07-rate-design.md
- Plan: docs/plans/2026-02-07-rate-plan.md

## Changed Files
- src/m.ts
- src/t1.ts

## Undo
- The last task: \`git revert --no-edit 2aaaaaa\`
- All of the work: \`git revert --no-edit 2aaaaaa 1aaaaaa\`
- With the documents: \`git revert --no-edit 2aaaaaa 1aaaaaa d0c5000\`
`,
  );
});

test("the report says what the final review came to, and that there was none", () => {
  const section = (pen: Pen) => /## Final Review\n([^#]*)/.exec(formatReport(viewOf(pen.entries)))?.[1]?.trim();
  const reviewed = (verdict: Verdict, round: number, ...findings: readonly string[]) =>
    new Pen().run("g").fact("finalize", { type: "final.reviewed", round, verdict, findings });
  assert.equal(section(new Pen().run("g").fact("finalize", { type: "report", text: "done" })), "Not run.");
  assert.equal(section(new Pen().run("g")), undefined, "a run that is not at its end may still have one");
  assert.equal(section(reviewed("approved", 1)), "Passed after 1 fix round.");
  assert.equal(section(reviewed("needs_revision", 0, "F1 x", "F2 y")), "Not passed.\n- F1 x\n- F2 y");
  assert.equal(section(reviewed("inconclusive", 0)), "No clear verdict.");
  const summary = "Good overall implementation.\nTests cover edge cases.";
  const told = new Pen()
    .run("g")
    .fact("x", { type: "final.reviewed", round: 0, verdict: "approved", findings: [], summary });
  assert.equal(section(told), "Passed. Good overall implementation. Tests cover edge cases.");
});

test("a last commit that is no task's is not called one when it is told how to undo it", () => {
  const key = "finalize/commit:final-fix#1";
  const request = { do: "commit", name: "final-fix", message: "workflow: final fixes", since: anchor } as const;
  const outcome = {
    status: "committed",
    sha: "f1aaaaaa",
    tree: anchor.tree,
    changedByHook: false,
    files: ["src/f.ts"],
  };
  const text = formatReport(viewOf(untilTask2().begin(key, request).settle(key, outcome).entries));
  assert.match(text, /- The last commit: `git revert --no-edit f1aaaaa`\n- All of the work: `.* f1aaaaa 1aaaaaa`/);
  assert.match(text, /## Changed Files\n- src\/f\.ts\n/);
});

test("the report of a run that failed says where and why, and does not call it complete", () => {
  const failure = { kind: "impossible", step: "plan-write", detail: "the plan has no tasks" } as const;
  const pen = untilQuestion().add({ type: "end", ending: { how: "failed", failure } });
  const text = formatReport(viewOf(pen.entries));
  assert.match(text, /^# Workflow Failed\n/);
  assert.match(text, /It ended in plan-write: the plan has no tasks/);
});

test("the snapshot of a run that waits holds the question, its options and what was found so far", () => {
  const snapshot = toSnapshot(viewOf(untilQuestion().entries));
  assert.equal(snapshot.version, 1);
  assert.equal(snapshot.runId, "run-1");
  assert.equal(snapshot.phase, "brainstorm");
  assert.equal(snapshot.userDescription, "Add rate limiting");
  assert.equal(snapshot.brainstorm.step, "questions");
  assert.equal(snapshot.brainstorm.scoutOutput, "A small library.");
  assert.equal(snapshot.brainstorm.currentQuestionIndex, 0);
  assert.deepEqual(snapshot.pendingInteraction, {
    id: "brainstorm.question.1",
    type: "choice",
    title: "Question 1 of 2",
    question: "Which algorithm?",
    options: [
      { key: "bucket", label: "Token bucket" },
      { key: "window", label: "Sliding window" },
    ],
  });
});

test("the snapshot carries the answers, the chosen approach, the approved sections, the documents and the config", () => {
  const { brainstorm, ...snapshot } = toSnapshot(viewOf(untilPlan().entries));
  assert.deepEqual(
    brainstorm.questions?.map((question) => "answer" in question && question.answer),
    ["Token bucket", "IP"],
  );
  assert.equal(brainstorm.chosenApproach, "a");
  assert.equal(brainstorm.customApproach, undefined);
  assert.deepEqual(brainstorm.designSections, [
    { id: "s1", approved: true },
    { id: "s2", approved: true },
  ]);
  assert.equal(snapshot.designPath, "docs/plans/2026-02-07-rate-design.md");
  assert.equal(snapshot.planPath, "docs/plans/2026-02-07-rate-plan.md");
  assert.deepEqual(snapshot.config, {
    tddMode: "tdd",
    reviewMode: "iterative",
    executionMode: "auto",
    maxPlanReviewCycles: 3,
    maxTaskReviewCycles: 3,
  });
  assert.equal(snapshot.pendingInteraction, undefined);
});

test("the snapshot's tasks have a status, their reviews, their fixes, their cost and their commit", () => {
  const snapshot = toSnapshot(viewOf(untilTask2().entries));
  assert.equal(snapshot.currentTaskIndex, 1);
  assert.deepEqual(snapshot.tasks[0], {
    id: "1",
    title: "Token bucket",
    status: "complete",
    reviewsPassed: ["spec-reviewer", "quality-reviewer"],
    reviewsFailed: [],
    fixAttempts: 0,
    costUsd: 0.48,
    commitSha: "1aaaaaa",
  });
  assert.equal(snapshot.tasks[1]?.status, "reviewing");
  assert.equal(snapshot.tasks[1]?.fixAttempts, 1);
});

test("a custom approach and the run's failure are in the snapshot under their own names", () => {
  const failure = { kind: "impossible", step: "plan-write", detail: "no tasks" } as const;
  const pen = untilQuestion()
    .fact("brainstorm", { type: "brainstorm.approach", id: "other", title: "By hand", custom: true })
    .add({ type: "end", ending: { how: "failed", failure } });
  const snapshot = toSnapshot(viewOf(pen.entries));
  assert.equal(snapshot.brainstorm.customApproach, "By hand");
  assert.equal(snapshot.brainstorm.chosenApproach, undefined);
  assert.equal(snapshot.phase, "done");
  assert.equal(snapshot.error, "plan-write: no tasks");
});
