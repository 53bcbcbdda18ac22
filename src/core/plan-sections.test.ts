import assert from "node:assert/strict";
import { test } from "node:test";
import { taskSections } from "./plan-sections.ts";

test("what stands under a task's heading is the task's, whatever its depth, up to the next heading that is no deeper", () => {
  for (const [own, deeper] of [
    ["#", "##"],
    ["##", "###"],
    ["####", "#####"],
  ]) {
    const text = `${own} **Task 1**\n\nFirst.\n\n${deeper} Steps\n\nStep.\n\n${own} Task 2\n\nSecond.\n\n${own} Notes\n\nNo task.\n`;
    assert.deepEqual(taskSections(text), [
      { id: 1, text: `${own} **Task 1**\n\nFirst.\n\n${deeper} Steps\n\nStep.` },
      { id: 2, text: `${own} Task 2\n\nSecond.` },
    ]);
  }
});
