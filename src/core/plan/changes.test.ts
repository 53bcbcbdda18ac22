import assert from "node:assert/strict";
import { test } from "node:test";
import { planText } from "../../../test/rig/plan.ts";
import { planChanges } from "./changes.ts";

const before = planText([{ id: 1 }, { id: 2, criteria: ["a", "b"], files: ["x.ts"], dependsOn: [1] }]);

test("what is new, gone and different is named task by task", () => {
  const after = planText([
    { id: 2, title: "Better", criteria: ["b", "c"], files: ["x.ts", "y.ts"], complexity: "hard", covers: ["R1", "R2"] },
    { id: 3, title: "Third" },
  ]);
  assert.deepEqual(planChanges(before, after), [
    'task 2: title is now "Better"; + criterion "c"; − criterion "a"; + file y.ts; + requirement R2; − dependency on task 1; hard instead of medium',
    "task 3 is new: Third",
    "task 1 is gone: Title 1",
  ]);
});

test("commands are quoted, and so is how a task is tested", () => {
  const one = planText([{ id: 1, commands: ["npm test"], tdd: "required" }]);
  const other = planText([{ id: 1, commands: ["npm run check"], tdd: "none" }]);
  assert.deepEqual(planChanges(one, other), [
    "task 1: + command `npm run check`; − command `npm test`; tests: none instead of required",
  ]);
});

test("a change of its text alone is named too, and so is one outside of all tasks", () => {
  const drafts = [{ id: 1 }, { id: 2 }];
  assert.deepEqual(planChanges(planText(drafts), planText([{ id: 1 }, { id: 2, description: "Other steps." }])), [
    "task 2: its text changed",
  ]);
  const plan = planText(drafts);
  assert.deepEqual(planChanges(plan, { ...plan, text: plan.text.replace("a bucket", "a window") }), [
    "no task changed, only the text around them",
  ]);
  assert.deepEqual(planChanges(plan, plan), []);
});
