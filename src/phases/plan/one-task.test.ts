// The plan that code makes for a small change.

import assert from "node:assert/strict";
import { test } from "node:test";
import { facts, play, resultOf } from "../../../test/rig/flow.ts";
import { goalAsDesign } from "../../core/plan/brainstorm.ts";
import { Task } from "../../core/plan/plan.ts";
import type { Brainstormed } from "../brainstorm/brainstorm.ts";
import { planOneTask } from "./one-task.ts";

const begun: Brainstormed = {
  mode: "hotfix",
  breadth: "one",
  parts: [],
  map: "A parser, and its tests.",
  files: ["src/parse.ts"],
  testing: "none",
  design: "",
  sections: [...goalAsDesign("Fix the parser")],
};

const planned = (goal: string, more: Partial<Brainstormed> = {}) => {
  const played = play(planOneTask(goal, { ...begun, ...more }), {});
  const [task, ...others] = resultOf(played).tasks;
  assert.ok(task);
  assert.deepEqual(others, []);
  return { task, played };
};

test("the one task points to the goal, with the scout's report, its files and what the goal must do", () => {
  const { task } = planned("Fix the parser");
  assert.match(
    task.description,
    /^Do what the goal says\. The repository, [^\n]*\n\n```\nA parser, and its tests\.\n```$/,
  );
  const { files, criteria, covers, complexity, tdd } = task;
  assert.deepEqual(
    { files, criteria, covers, complexity, tdd },
    { files: ["src/parse.ts"], criteria: task.criteria, covers: ["R1"], complexity: "easy", tdd: "none" },
  );
});

test("A10: what is said of the task does not repeat the goal, which stands above it in each message", () => {
  const { task } = planned("# Fix\n\n## How\n\nQuickly.");
  assert.doesNotMatch(JSON.stringify(task), /Quickly/);
});

test("A10: the criterion is that the defect is gone, shown by a test that failed before, never the words of the bug", () => {
  const { task } = planned("Amounts are shown wrong", { testing: "required" });
  assert.match(task.criteria[0] ?? "", /^The defect that the goal describes no longer occurs/);
  assert.match(task.criteria[1] ?? "", /^A test that failed before the change passes now/);
  assert.doesNotMatch(task.criteria.join(), /Amounts are shown wrong/);
  assert.equal(planned("x", { testing: "none" }).task.criteria.length, 1);
});

test("a scout that reports nothing adds nothing, and any file may be changed", () => {
  const { task } = planned("Fix the parser", { map: "", files: [] });
  assert.equal(task.description, "Do what the goal says.");
  assert.equal(task.files.length, 1);
  assert.doesNotThrow(() => Task.parse(task));
});

test("U5: the task has the scout's title for the change, not the words that tell what is wrong", () => {
  const goal = "Negative amounts are printed as -1.-50 instead of -1.50 in the report";
  const { task } = planned(goal, { title: "Print negative amounts with one sign" });
  assert.equal(task.title, "Print negative amounts with one sign");
  assert.equal(planned("Fix the parser", { title: "" }).task.title, "Fix the parser");
});

test("a goal of many lines has a short title", () => {
  const { task } = planned(`Fix the parser\n${"and more ".repeat(200)}`);
  assert.equal(task.title, "Fix the parser");
  assert.doesNotThrow(() => Task.parse(task));
});

test("the plan is told without a document", () => {
  const { task, played } = planned("Fix the parser");
  const written = facts(played).find(({ type }) => type === "plan.written");
  assert.deepEqual(written, {
    type: "plan.written",
    path: null,
    tasks: [
      {
        ...{ id: "1", title: "Fix the parser", complexity: "easy", files: ["src/parse.ts"] },
        ...{ criteria: task.criteria, covers: ["R1"], dependsOn: [] },
      },
    ],
  });
});
