import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../../core/flow/fact.ts";
import { toSnapshot } from "../files/snapshot.ts";
import { progressWidget } from "../show/progress-widget.ts";
import { recap } from "../show/recap.ts";
import { footer } from "../show/status.ts";
import { narrateFact } from "../tell/narrate-fact.ts";
import { applyFact } from "./apply-fact.ts";
import { emptyView, type RunView } from "./run-view.ts";

const plan: Fact = { type: "plan.loaded", path: "docs/plan.md", task: { id: "3", title: "Limit" }, of: 5 };

function viewAfter(...facts: readonly Fact[]): RunView {
  const view = emptyView();
  view.phase = "execute";
  for (const fact of facts) applyFact(view, fact);
  return view;
}

test("a run of one task out of a plan goes by the task's number there, and counts no others", () => {
  const view = viewAfter(plan, { type: "task.status", task: "3", status: "reviewing", round: 1 });
  assert.equal(footer(view), "⚡ Workflow: execute (task 3 — reviewing) | $0.00");
  assert.match(recap(view), /: task 3 "Limit", reviewing round 1;/);
  assert.equal(progressWidget(view, 60)?.[1], "│ ■■■■■■■■■■■■□□□□□□□□ 60%  (task 3)");
  assert.equal(narrateFact(plan, view)?.text, "📄 Plan: docs/plan.md, task 3 of 5");
});

test("at its end it says what became of that task", () => {
  for (const [status, text] of [
    ["complete", "⚡ Complete! Task 3. $0.00 total."],
    ["skipped", "⚡ Complete! Task 3 skipped. $0.00 total."],
  ] as const) {
    const view = viewAfter(plan, { type: "task.settled", task: "3", status, commit: null, rounds: 0 });
    view.ending = { how: "finished", value: null };
    assert.equal(footer(view), text);
  }
});

test("its snapshot has the plan and nothing left to brainstorm", () => {
  const { brainstorm, planPath, tasks } = toSnapshot(viewAfter(plan));
  assert.deepEqual(
    [brainstorm, planPath, tasks.map(({ id, title }) => [id, title])],
    [{ step: "done" }, "docs/plan.md", [["3", "Limit"]]],
  );
});

test("where a run has written its plan the tasks are counted, even a single one", () => {
  const view = viewAfter(
    { type: "plan.written", path: null, tasks: [{ id: "1", title: "Limit" }] },
    { type: "task.status", task: "1", status: "fixing", round: 1 },
  );
  assert.equal(footer(view), "⚡ Workflow: execute (task 1/1 — fixing) | $0.00");
});
