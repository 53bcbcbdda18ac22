// T6: what the report says each commit was made for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingCompared } from "../../../core/validation/compare.ts";
import { RunView, type TaskView } from "../fold/shape.ts";
import { plannedTask } from "../fold/tasks.ts";
import { receiptLines } from "./receipt-lines.ts";

const tree = "1a2b3c4d5e6f";

function viewWith(changes: Partial<TaskView>): RunView {
  const view = new RunView();
  const task = plannedTask(view, { id: "1", title: "One", complexity: "easy" }, 1);
  view.tasks.set("1", Object.assign(task, { status: "complete", commit: "abc" }, changes));
  view.checks.set("1\nlint", { task: "1", command: "lint", passed: true, tree, durationMs: 2_000 });
  view.checks.set("1\nother", { task: "1", command: "other", passed: false, tree, durationMs: 1 });
  const run = { ...nothingCompared, task: "1", command: "npm test", tree, flaky: [], red: false, total: 3 };
  view.tests.runs.push({ ...run, broken: ["a"] }, run);
  view.tests.tookMs.set(`npm test\n${tree}`, 61_000);
  task.reviews.set("spec-reviewer", { role: "spec-reviewer", round: 0, verdict: "approved", findings: [] });
  return view;
}

test("T6: a task's receipts name the command or the role, the tree and the verdict of the last look", () => {
  const short = tree.slice(0, 7);
  assert.deepEqual(receiptLines(viewWith({})), [
    `- Task 1: \`lint\` passed in 2s for tree ${short}; \`npm test\` passed in 1m 01s (3 tests) for tree ${short}; spec-reviewer: approved`,
  ]);
});

test("what was not committed has none", () => {
  assert.deepEqual(receiptLines(viewWith({ status: "skipped", commit: null })), []);
});
