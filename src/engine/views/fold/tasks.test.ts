import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen, viewOf } from "../../../../test/rig/sample-journal.ts";
import type { Fact } from "../../../core/flow/fact.ts";
import { outlineOf } from "../../../core/run/pipeline.ts";
import { sdd } from "../../../pipelines/sdd.ts";
import { Tally } from "../../money/tally.ts";
import { entryOf } from "../facts/facts.ts";
import { formatProgress } from "../files/progress.ts";
import { toSnapshot } from "../files/snapshot.ts";
import { progressWidget } from "../show/progress-widget.ts";
import { recap } from "../show/recap.ts";
import { footer } from "../show/status.ts";
import { RunView } from "./shape.ts";
import { resetTask, taskProgress } from "./tasks.ts";

const plan: Fact = { type: "plan.loaded", path: "docs/plan.md", task: { id: "3", title: "Limit" }, of: 5 };

function viewAfter(...facts: readonly Fact[]): RunView {
  const view = new RunView();
  view.pipeline = outlineOf(sdd);
  view.phase = "execute";
  for (const fact of facts) entryOf(fact)?.keep(view, fact);
  return view;
}

test("a run of one task out of a plan goes by the task's number there, and counts no others", () => {
  const view = viewAfter(plan, { type: "task.status", task: "3", status: "reviewing", round: 1 });
  assert.equal(footer(view), "⚡ Workflow: execute (task 3 — reviewing) | $0.00");
  assert.match(recap(view), /: task 3 "Limit", reviewing round 1;/);
  assert.equal(progressWidget(view, 60)?.[1], "│ ■■■■■■■■■■■■□□□□□□□□ 60%  (task 3)");
  assert.equal(entryOf(plan)?.show?.(plan, view), "📄 Plan: docs/plan.md, task 3 of 5");
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

test("a task that was skipped is neither done nor left, wherever tasks are counted", () => {
  const pen = new Pen().run("g").fact("plan-write", {
    type: "plan.written",
    path: "p.md",
    tasks: [1, 2, 3].map((id) => ({ id: String(id), title: `t${id}` })),
  });
  pen.dispatch("execute/task-1/dispatch:implement#1", "implementer", 0.4);
  pen.fact("execute/task-1", { type: "task.settled", task: "1", status: "complete", commit: "1a", rounds: 0 });
  pen.fact("execute/task-2", { type: "task.settled", task: "2", status: "skipped", commit: null, rounds: 0 });
  const tally = new Tally();
  for (const entry of pen.entries) tally.take(entry);
  const { tasksCompleted, tasksRemaining, tasksSkipped, estimatedRemainingCost } = taskProgress(viewOf(pen.entries));
  assert.deepEqual([tasksCompleted, tasksRemaining, tasksSkipped], [1, 1, 1]);
  assert.deepEqual(tally.headway, { done: 1, total: 3, left: estimatedRemainingCost });
  assert.equal(estimatedRemainingCost?.expectedUsd, 0.4, "one task is left, at what the one that is complete has cost");
});

test("with the last task skipped nothing is left to pay for", () => {
  const pen = new Pen().run("g").fact("x", { type: "plan.written", path: null, tasks: [{ id: "1", title: "t" }] });
  pen.fact("execute/task-1", { type: "task.settled", task: "1", status: "skipped", commit: null, rounds: 0 });
  const tally = new Tally();
  assert.equal(tally.headway, null, "there is no plan yet");
  for (const entry of pen.entries) tally.take(entry);
  assert.deepEqual(tally.headway, { done: 0, total: 1, left: null });
});

/** Three tasks, of which the first two were begun side by side. */
function twoAtWork(): Pen {
  const tasks = [1, 2, 3].map((id) => ({ id: String(id), title: `Letter ${id}` }));
  const pen = new Pen().run("g").fact("plan-write", { type: "plan.written", path: "p.md", tasks });
  pen.enter("execute", "phase").enter("execute/task-1", "task").enter("execute/task-2", "task");
  pen.fact("execute/task-2", { type: "task.status", task: "2", status: "implementing", round: 0 });
  return pen.fact("execute/task-1", { type: "task.status", task: "1", status: "reviewing", round: 0 });
}

test("tasks that run side by side are all shown as at work, in the order of the plan", () => {
  const view = viewOf(twoAtWork().entries);
  assert.deepEqual([...view.tasksAtWork], ["2", "1"], "the one that moved last is at the end");
  assert.equal(footer(view), "⚡ Workflow: execute (task 1/3 — reviewing, task 2/3 — implementing) | $0.00");
  assert.match(recap(view), /: task 1\/3 "Letter 1", reviewing; task 2\/3 "Letter 2", implementing; spent/);
  assert.match(progressWidget(view, 60)?.[1] ?? "", / 26% {2}\(task 1\/3, 2\/3\)$/);
  assert.match(formatProgress(view), /\*\*Status:\*\* Executing \(task 1\/3, task 2\/3\) \|/);
  assert.equal(taskProgress(view).currentTaskTitle, "Letter 1, Letter 2");
  assert.equal(toSnapshot(view).currentTaskIndex, 0, "the next task to be settled");
});

test("of tasks that run side by side one that is settled makes room as soon as another moves", () => {
  const pen = twoAtWork();
  pen.fact("execute/task-1", { type: "task.settled", task: "1", status: "complete", commit: "1a", rounds: 0 });
  pen.fact("execute/task-2", { type: "task.status", task: "2", status: "reviewing", round: 0 });
  const view = viewOf(pen.entries);
  assert.equal(footer(view), "⚡ Workflow: execute (task 2/3 — reviewing) | $0.00");
  assert.equal(toSnapshot(view).currentTaskIndex, 1);
});

test("tasks that start again wait for their turn: only what moves is at work", () => {
  const pen = twoAtWork().add({ type: "restart", scope: "execute", epoch: 2, by: "person" });
  const view = viewOf(pen.enter("execute@2", "phase").enter("execute@2/task-1", "task").entries);
  assert.equal(footer(view), "⚡ Workflow: execute (task 1/3) | $0.00");
});

test("a task that has not started, or starts again, has come to nothing so far", () => {
  const nothing = { said: "", concerns: [], disputed: [], status: "pending", round: 0, commit: null };
  const unmarked = { testsPending: false, escalated: false, startedAt: null, settledAt: null };
  const expected = { id: "1", number: 1, title: "Limit", complexity: "medium", covers: [], ...nothing, ...unmarked };
  const view = viewAfter({ type: "plan.written", path: null, tasks: [{ id: "1", title: "Limit" }] });
  const task = view.tasks.get("1");
  assert.ok(task);
  assert.deepEqual(task, { ...expected, where: null, reviews: new Map() });
  for (const fact of [
    { type: "task.status", task: "1", status: "escalated", round: 2 },
    { type: "review.finished", task: "1", role: "spec-reviewer", round: 2, verdict: "approved", findings: [] },
    { type: "task.settled", task: "1", status: "complete", commit: "c", rounds: 2, testsPending: true, said: "Done." },
  ] as const)
    entryOf(fact)?.keep(view, fact);
  assert.deepEqual([task.testsPending, task.escalated, task.reviews.size], [true, true, 1]);
  resetTask(task);
  assert.deepEqual(task, { ...expected, where: null, reviews: new Map() });
});
