import assert from "node:assert/strict";
import { test } from "node:test";
import { anchor, finished, Pen, planReview, startedAt, usage, wholeRun } from "../../../../test/rig/sample-journal.ts";
import type { Fact } from "../../../core/flow/fact.ts";
import type { Question } from "../../../core/flow/question.ts";
import { bareOutline, outlineOf, type PipelineOutline } from "../../../core/run/pipeline.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { narrate } from "./entries.ts";

/** What is told of a journal: `!` marks a warning. */
function toldOf(pen: Pen): readonly string[] {
  const view = new RunView();
  return pen.entries.flatMap((entry) => {
    const told = narrate(entry, applyEntry(view, entry));
    return told ? [`${told.level === "warning" ? "! " : ""}${told.text}`] : [];
  });
}

test("a run is told from its first look to its end", () => {
  assert.deepEqual(toldOf(wholeRun()), [
    "── Brainstorm ──",
    "🔍 Scouting codebase...",
    "scout answered (1m 00s, $0.10)",
    "brainstormer answered: questions (1m 00s, $0.05)",
    "📄 Design: docs/plans/2026-02-07-rate-design.md",
    "── Plan ──",
    "3 tasks found:\n  1. Token bucket\n  2. Middleware\n  3. Configuration",
    "── Plan review ──",
    "📋 Plan review: architect ✓, spec-reviewer ✓",
    "── Configure ──",
    "── Execute ──",
    "📦 d0c5000 Add design and plan",
    "🔨 Task 1/3: Token bucket",
    "✓ Implemented (1m 00s, $0.48)",
    "✓ Spec review passed",
    "✓ Quality review passed",
    "📦 1aaaaaa Task 1",
    "🔨 Task 2/3: Middleware",
    "✓ Implemented (1m 00s, $0.50)",
    "! ✗ Spec review: F1 IP extraction is missing",
    "🔧 Fix attempt 1/3...",
    "✓ Fixed (1m 00s, $0.30)",
    "✓ Spec review passed",
    "✓ Quality review passed",
    "📦 2aaaaaa Middleware",
    "🔨 Task 3/3: Configuration",
    "! waived (execute/task-3): skipped by you",
    "! – task 3 skipped",
    "── Finalize ──",
    "✓ Final review passed",
    "⚡ Complete! 2/3 tasks. $1.90 total.",
  ]);
});

const facts = (...some: readonly Fact[]) => some.reduce((pen, fact) => pen.fact("x", fact), new Pen().run("g"));

test("what is taken back of an interrupted agent is named, with how to have it again: some of it may be the person's", () => {
  const pen = new Pen().run("g").dispatchBegins("execute/task-1/dispatch:implement#1", "implementer");
  const files = Array.from({ length: 9 }, (_, index) => `${index}.txt`);
  const note = { type: "undone", files, backupRef: "refs/superteam/r/1" } as const;
  pen.add({ type: "note", key: "execute/task-1/dispatch:implement#1", note });
  assert.equal(
    toldOf(pen).at(-1),
    "! ↩ undid changes to 9 files, made while the interrupted agent was at work: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, 6.txt, 7.txt and 1 more\nIf some of it is yours: git restore --source=refs/superteam/r/1 -- <file>",
  );
});

test("what an interrupted check had left is not called an agent's", () => {
  const key = "execute/task-1/check:validation#1";
  const request = { do: "check", name: "validation", command: "npm test" } as const;
  const pen = new Pen().run("g").add({ type: "begin", key, request, tries: 1, place: "tree" });
  pen.add({ type: "note", key, note: { type: "undone", files: ["a.snap"], backupRef: "refs/superteam/r/1" } });
  assert.match(
    toldOf(pen).at(-1) ?? "",
    /undid changes to 1 file, made while the interrupted check was at work: a.snap/,
  );
});

test("drafting the plan is told with where it goes", () => {
  const input = { goal: "g", documents: { plan: "docs/plans/a-plan.md" } };
  const header = { runId: "r", pipeline: outlineOf(superteam), input, startedAt };
  const pen = new Pen().add({ type: "run", header }).dispatchBegins("plan-write/dispatch:plan#1", "planner");
  assert.deepEqual(toldOf(pen), ["📝 Drafting plan → docs/plans/a-plan.md"]);
  // The same step again, after an answer that could not be used, has been told as a warning already.
  assert.deepEqual(toldOf(pen.dispatchBegins("plan-write/dispatch:plan#2", "planner")).length, 1);
  const second = new Pen().add({ type: "run", header });
  second.fact("part-2", { type: "part.started", part: 2, of: 3, title: "Reports" });
  second.dispatchBegins("part-2/plan-write/dispatch:plan#1", "planner");
  assert.equal(toldOf(second).at(-1), "📝 Drafting plan → docs/plans/a-plan-2.md");
  assert.deepEqual(toldOf(new Pen().run("g").dispatchBegins("plan-write/dispatch:plan#1", "planner")), [
    "📝 Drafting plan...",
  ]);
});

test("a plan review is told once both have looked, in their order, with what was found by whom", () => {
  const tasks = [{ id: "1", title: "t" }];
  const first = facts(planReview("spec-reviewer", "needs_revision", 0, ["F2 no test", "F3 no file"]));
  assert.deepEqual(toldOf(first), []);
  first.fact("x", planReview("architect", "inconclusive"));
  const plain = "📋 Plan review: architect ✗, spec-reviewer ✗";
  assert.deepEqual(toldOf(first), [
    `! ${plain}\n  architect: no clear verdict\n  spec-reviewer: F2 no test\n  spec-reviewer: F3 no file`,
  ]);
  first
    .fact("x", { type: "plan.written", path: "p.md", tasks })
    .fact("x", { type: "plan.written", path: "p.md", tasks });
  first.fact("x", planReview("architect", "approved", 1)).fact("x", planReview("spec-reviewer", "approved", 1));
  assert.deepEqual(toldOf(first).slice(1), [
    "1 task found:\n  1. t",
    "📄 Plan revised: p.md (1 task)",
    "📋 Plan review: architect ✓, spec-reviewer ✓",
  ]);
});

test("a plan that is reviewed again as it stands is told again once both have looked again", () => {
  const looked = facts(planReview("architect", "approved"), planReview("spec-reviewer", "needs_revision", 0, ["F1 x"]));
  const before = toldOf(looked);
  assert.equal(before.length, 1);
  looked.fact("x", planReview("architect", "approved", 1));
  assert.deepEqual(toldOf(looked), before);
  looked.fact("x", planReview("spec-reviewer", "approved", 1));
  assert.deepEqual(toldOf(looked).slice(1), ["📋 Plan review: architect ✓, spec-reviewer ✓"]);
});

test("several findings stand below the review, and no verdict is called none", () => {
  const review = { type: "review.finished", task: "1", role: "security-reviewer", round: 0 } as const;
  assert.deepEqual(
    toldOf(
      facts(
        { ...review, verdict: "needs_revision", findings: ["F1 a", "F2 b"] },
        { ...review, verdict: "inconclusive", findings: [] },
        { type: "final.reviewed", role: "final-reviewer", round: 0, verdict: "needs_revision", findings: ["F9 gap"] },
      ),
    ),
    [
      "! ✗ Security review: 2 findings\n  F1 a\n  F2 b",
      "! ✗ Security review: no clear verdict",
      "! ✗ Final review: F9 gap",
    ],
  );
});

test("a pipeline with other roles and phases is told in its own words", () => {
  const pipeline: PipelineOutline = {
    ...bareOutline("letters"),
    schedule: [
      {
        phase: "draft",
        label: "Draft",
        title: "Writing",
        begun: { letter: "Writing a letter..." },
        finished: { letter: "Written" },
      },
    ],
    roles: [
      { name: "writer", access: "write" },
      { name: "critic", access: "read", review: "Critique" },
    ],
  };
  const pen = new Pen().add({ type: "run", header: { runId: "r", pipeline, input: { goal: "g" }, startedAt } });
  pen.dispatch("draft/dispatch:letter#1", "writer", 0.1).dispatch("draft/dispatch:look#1", "critic", 0.1);
  pen.fact("draft", {
    type: "review.finished",
    task: "1",
    role: "critic",
    round: 0,
    verdict: "approved",
    findings: [],
  });
  assert.deepEqual(toldOf(pen), ["Writing a letter...", "✓ Written (1m 00s, $0.10)", "✓ Critique passed"]);
});

test("a fix that the person granted beyond the limit names no limit", () => {
  const pen = new Pen().run("g").begin("config:#1", { do: "config" });
  pen.settle("config:#1", { review: { maxTaskReviewCycles: 2 } });
  for (const round of [2, 3]) pen.fact("x", { type: "task.status", task: "1", status: "fixing", round });
  assert.deepEqual(toldOf(pen), ["🔧 Fix attempt 2/2...", "🔧 Fix attempt 3..."]);
});

test("the final review and a checkpoint are told when they begin", () => {
  const question: Question = {
    id: "execute.checkpoint",
    kind: "select",
    title: "Checkpoint",
    message: "",
    options: [],
  };
  const pen = new Pen().run("g").fact("x", { type: "plan.written", path: "p", tasks: [{ id: "1", title: "t" }] });
  pen.enter("execute/task-1", "task").asks("execute/ask:execute.checkpoint#1", question);
  pen.dispatchBegins("finalize/dispatch:final-review#1", "final-reviewer");
  assert.deepEqual(toldOf(pen).slice(2), [
    "⏸ Checkpoint after task 1/1 — if you leave, superteam resume continues",
    "📊 Final review...",
  ]);
});

test("an agent that failed is told with its name, the error, its output and what can be done", () => {
  const key = "brainstorm/dispatch:questions#1";
  const common = {
    usage: usage(0.02),
    durationMs: 3000,
    commands: [],
    tree: anchor.tree,
    touched: [],
    restored: false,
  };
  const failure = {
    status: "failed",
    kind: "rate-limited",
    detail: "Model rate limited",
    output: "429 Too Many\nRequests",
  };
  const pen = new Pen()
    .run("g")
    .dispatchBegins(key, "brainstormer")
    .settle(key, { ...failure, model: null, ...common });
  assert.deepEqual(toldOf(pen), [
    [
      "! Brainstormer agent failed (rate-limited; 3s, $0.02).",
      "  Error: Model rate limited",
      "  Output: '429 Too Many Requests'",
    ].join("\n"),
  ]);
});

test("a failure names resume when the person is asked, not before superteam tries again", () => {
  const key = "brainstorm/ask:brainstorm.scout.failed#1";
  const options = [{ key: "retry", label: "Retry" }];
  const question = {
    id: "brainstorm.scout.failed",
    kind: "select",
    title: "Agent Error: scout",
    message: "",
    options,
  } as const;
  assert.deepEqual(toldOf(new Pen().run("g").asks(key, question)), [
    "⏸ Agent Error: scout — if you leave, use superteam resume to retry from this step",
  ]);
});

test("a long error is told in short: the dialog that follows has the whole", () => {
  const key = "brainstorm/dispatch:questions#1";
  const failure = { status: "failed", kind: "crashed", detail: "e".repeat(2000), output: "o".repeat(2000) };
  const common = { usage: usage(0), durationMs: 0, commands: [], tree: anchor.tree, touched: [], restored: false };
  const pen = new Pen().run("g").dispatchBegins(key, "brainstormer");
  const [told = ""] = toldOf(pen.settle(key, { ...failure, model: null, ...common }));
  assert.ok(told.split("\n").every((line) => line.length <= 140));
});

test("reviewers are told by their verdict, not by their end", () => {
  const key = "execute/task-1/dispatch:spec-review#1";
  const pen = new Pen().run("g").dispatchBegins(key, "spec-reviewer").settle(key, finished(0.1, "fine"));
  assert.deepEqual(toldOf(pen), []);
});
