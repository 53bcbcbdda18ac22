import assert from "node:assert/strict";
import { test } from "node:test";
import { Pen, viewOf } from "../../../../test/rig/sample-journal.ts";
import { pathInPart, whereIsRequest, whereIsScope } from "./where.ts";

test("a phase is the same phase in every part of a run", () => {
  assert.deepEqual(whereIsRequest("part-2/plan-write/dispatch:plan#1"), {
    scope: "part-2/plan-write",
    phase: "plan-write",
    task: null,
  });
  assert.deepEqual(whereIsScope("part-2@2/execute/task-4#2@3"), {
    scope: "part-2/execute/task-4",
    phase: "execute",
    task: "4",
  });
  assert.equal(whereIsScope("part-2").phase, null);
  assert.equal(whereIsScope("party/plan-write").phase, "party");
});

test("a path within its part is what it would be without parts", () => {
  assert.equal(pathInPart("part-2/plan-write"), "plan-write");
  assert.equal(pathInPart("plan-write"), "plan-write");
  assert.equal(pathInPart("part-12"), "");
  assert.equal(pathInPart(""), "");
});

const lines = (...ids: readonly number[]) =>
  ids.map((id) => ({ id: `${id}`, title: `Task ${id}`, complexity: "medium" as const }));

/** Two parts: the first is done, the second is planned and at work. */
function twoParts(): Pen {
  const pen = new Pen().run("Two parts");
  pen.fact("part-1/plan-write", { type: "plan.written", path: "plan.md", tasks: lines(1, 2) });
  for (const task of ["1", "2"]) {
    pen.fact(`part-1/execute/task-${task}`, {
      type: "task.settled",
      task,
      status: "complete",
      commit: "c".repeat(40),
      rounds: 0,
    });
  }
  pen.fact("part-2/plan-write", { type: "plan.written", path: "plan-2.md", tasks: lines(3) });
  return pen.enter("part-2/execute", "phase").enter("part-2/execute/task-3", "task");
}

test("the tasks of earlier parts stay when the next part is planned, and are counted on", () => {
  const view = viewOf(twoParts().entries);
  assert.deepEqual(
    [...view.tasks.values()].map(({ id, number, status }) => `${id} ${number} ${status}`),
    ["1 1 complete", "2 2 complete", "3 3 pending"],
  );
  assert.equal(view.phase, "execute");
  assert.equal(view.plansWritten, 1);
});

test("a plan that is revised drops the tasks it no longer has, and keeps those of earlier parts", () => {
  const pen = twoParts();
  const path = "plan-2.md";
  pen.fact("part-2/plan-review", { type: "plan.written", path, tasks: lines(4) });
  assert.deepEqual([...viewOf(pen.entries).tasks.keys()], ["1", "2", "4"]);
});

test("what a part costs is booked under its phase and its task", () => {
  const pen = twoParts().dispatchBegins("part-2/execute/task-3/dispatch:implement#1", "implementer");
  const { spend } = viewOf(pen.entries);
  assert.equal(spend.phases.get("execute")?.dispatches, 1);
  assert.equal(spend.tasks.get("3")?.dispatches, 1);
});
