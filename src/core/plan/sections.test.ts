import assert from "node:assert/strict";
import { test } from "node:test";
import { headedTasks, headerOf, taskSections, tasksQuoted } from "./sections.ts";

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

test("a byte order mark moves no task and is no part of the head", () => {
  const text = "\uFEFF# Plan\n### Task 1: One\n\nDo one.\n### Task 2: Two\n\nDo two.\n";
  assert.equal(headerOf(text), "# Plan");
  assert.deepEqual(taskSections(text), [
    { id: 1, text: "### Task 1: One\n\nDo one." },
    { id: 2, text: "### Task 2: Two\n\nDo two." },
  ]);
});

test("a document has a head, and under each task's heading its text", () => {
  const text =
    "# Plan\n\n**Goal:** g\n\n## Tasks\n\n### Task 4: Fourth\n\nStep one.\n\n#### Then\n\nStep two.\n\nTask 1\n---\nOne.\n";
  assert.equal(headerOf(text), "# Plan\n\n**Goal:** g\n\n## Tasks");
  assert.deepEqual(headedTasks(text, []), [
    { id: 4, title: "Fourth", text: "Step one.\n\n#### Then\n\nStep two." },
    { id: 1, title: "", text: "One." },
  ]);
});

test("where no heading says task, a number with the title of a task in the block is its heading", () => {
  const entries = [{ id: 1, title: "Bucket" }];
  const ids = (text: string) => headedTasks(text, entries).map(({ id }) => id);
  assert.deepEqual(ids("# Plan\n\n### 1. Bucket\n\nOne.\n\n### 2. Notes\n"), [1]);
  assert.deepEqual(ids("### 1. Overview\n"), []);
  assert.deepEqual(ids("### 1. Bucket\n\n### Task 2: Other\n"), [2]);
});

test("the block belongs to no task, whatever its tag", () => {
  for (const tag of ["superteam-tasks", "Superteam-Tasks", "yaml", ""]) {
    const text = `### Task 1: One\n\nDo one.\n\n### Task 2: Two\n\nDo two.\n\n\`\`\`${tag}\n- id: 1\n  files: [a]\n- id: 2\n  files: [b]\n\`\`\`\n`;
    assert.equal(taskSections(text).at(-1)?.text, "### Task 2: Two\n\nDo two.", tag);
    assert.deepEqual(tasksQuoted(text, "files: [a]"), [1], tag);
  }
});
