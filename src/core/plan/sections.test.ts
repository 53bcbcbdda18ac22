import assert from "node:assert/strict";
import { test } from "node:test";
import { taskSections, wordsOf } from "./sections.ts";

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

test("a document's words are its head, and what stands under each task's heading", () => {
  const text =
    "# Plan\n\n**Goal:** g\n\n## Tasks\n\n### Task 4: Fourth\n\nStep one.\n\n#### Then\n\nStep two.\n\n### Task 1\n";
  const { header, steps } = wordsOf(text);
  assert.equal(header, "# Plan\n\n**Goal:** g\n\n## Tasks");
  assert.deepEqual(
    [...steps],
    [
      [4, "Step one.\n\n#### Then\n\nStep two."],
      [1, ""],
    ],
  );
  assert.deepEqual(wordsOf(""), { header: "", steps: new Map() });
});
