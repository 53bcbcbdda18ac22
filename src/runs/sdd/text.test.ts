import assert from "node:assert/strict";
import { test } from "node:test";
import { taskOf } from "../../../test/rig/plan.ts";
import type { KnownPlan, KnownTask, TaskState } from "./past.ts";
import { gapsBefore, nextTask, planLines } from "./text.ts";

const open: TaskState = { is: "open", lost: null };
const done: TaskState = { is: "done", commit: "b0b0b0b0b0", files: [] };

/** Each task builds on the one before. */
function planWith(...states: readonly TaskState[]): KnownPlan {
  const tasks = states.map((state, index): KnownTask => {
    const task = taskOf({ id: index + 1, dependsOn: index === 0 ? [] : [index] });
    return { task, state, costUsd: state.is === "open" ? 0 : 0.5 };
  });
  return { path: "docs/plan.md", text: "", plan: { tasks: tasks.map(({ task }) => task) }, tasks, troubles: [] };
}

test("each task is listed with how it stands, its commit and all it has cost", () => {
  const plan = planWith(
    done,
    { is: "done", commit: null, files: [] },
    { is: "active", status: "reviewing" },
    { is: "skipped" },
    { is: "open", lost: "c0c0c0c0c0" },
  );
  assert.deepEqual(planLines({ ...plan, troubles: ["Run x cannot be read."] }), [
    "Plan docs/plan.md: 2 of 5 tasks done, $2.00 spent",
    "  ✓ 1. Title 1 — done, b0b0b0b, $0.50",
    "  ✓ 2. Title 2 — done without a change, $0.50",
    "  ▸ 3. Title 3 — active, reviewing, $0.50",
    "  – 4. Title 4 — skipped, $0.50",
    "  ○ 5. Title 5 — open: its commit c0c0c0c is not in the checked-out history, builds on 4",
    "Run x cannot be read.",
    "Task 3 is the active run: /workflow continues it.",
  ]);
});

test("the next task is the active one, else the first that is open; what was skipped is not taken up by itself", () => {
  const next = (...states: readonly TaskState[]) => nextTask(planWith(...states).tasks)?.task.id;
  assert.equal(next(done, open, open), 2);
  assert.equal(next(open, { is: "active", status: "pending" }), 2);
  assert.equal(next(done, { is: "skipped" }, open), 3);
  assert.equal(next(done, { is: "skipped" }), undefined);
});

test("when no task is left it says how one is run all the same", () => {
  const last = (...states: readonly TaskState[]) => planLines(planWith(...states)).at(-1);
  assert.equal(last(done, done), "All tasks are done. /sdd run <task> runs one again.");
  assert.equal(last(done, { is: "skipped" }), "Only skipped tasks are left: 2. /sdd run <task> runs one again.");
});

test("only what is done fills the place of a task that others build on", () => {
  for (const [state, gaps] of [
    [done, []],
    [open, [1]],
    [{ is: "skipped" }, [1]],
    [{ is: "active", status: "fixing" }, [1]],
  ] as const) {
    const { tasks } = planWith(state, open);
    assert.deepEqual(gapsBefore(tasks[1] ?? assert.fail(), tasks), gaps);
  }
});
