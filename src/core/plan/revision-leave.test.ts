import assert from "node:assert/strict";
import { test } from "node:test";
import { planText } from "../../../test/rig/plan.ts";
import { Finding } from "../review/review.ts";
import { leaveFor } from "./revision.ts";
import { headerOf, tasksQuoted } from "./sections.ts";

const path = "docs/plans/x-plan.md";
const plan = planText([
  { id: 1, title: "Token bucket", criteria: ["The bucket holds."], covers: ["R1"] },
  {
    ...{ id: 2, title: "Middleware", description: "Write the failing test first." },
    ...{ covers: ["R2"], files: ["src/limit.ts"] },
  },
  { id: 3, title: "Docs", covers: ["R1", "R3"] },
]);
const file = { ...plan, path };
const finding = (anchor: Finding["anchor"], more: Partial<Finding> = {}) =>
  Finding.parse({ rule: "incorrect", severity: "high", what: "It is wrong.", ...(anchor ? { anchor } : {}), ...more });
const named = (anchor: Finding["anchor"], more: Partial<Finding> = {}) =>
  leaveFor([finding(anchor, more)], "", file).tasks;

test("a finding names the tasks its anchor stands for", () => {
  assert.deepEqual(named({ requirement: "T2" }), [2]);
  assert.deepEqual(named({ requirement: "R1" }), [1, 3], "whoever covers it");
  assert.deepEqual(named({ requirement: "R9" }), "all", "A11: what names no task leaves the planner to find it");
  assert.deepEqual(named(undefined, { what: "It is too vague." }), "all");
  assert.deepEqual(named({ file: "src/limit.ts", quote: "x" }), [2], "whoever changes the file");
  assert.deepEqual(named({ file: "docs/plans/x-design.md", quote: "- **R2** It must refuse." }), [2]);
});

test("a quote from the plan names the task in whose words it stands, under a heading or in the list", () => {
  assert.deepEqual(named({ file: path, quote: "failing test first" }), [2]);
  assert.deepEqual(named({ file: path, quote: "- The bucket holds." }), [1]);
  assert.deepEqual(named({ file: path, quote: "### Task 3: Docs" }), [3]);
  assert.deepEqual(named({ file: path, quote: "**Architecture:** a bucket" }), [], "the header is no task");
  assert.deepEqual(tasksQuoted(plan.text, `failing test first.\n\n### Task 3`), [2, 3]);
  assert.deepEqual(tasksQuoted(plan.text.replaceAll("\n", "\r\n"), "Write the failing test first.\n"), [2]);
  assert.deepEqual(tasksQuoted(plan.text, " "), []);
});

test("a finding names the tasks its words speak of: by number, by title, by requirement", () => {
  const anchor = { file: path, quote: "**Goal:** limit" };
  assert.deepEqual(named(anchor, { what: "Task 2 needs the bucket." }), [2]);
  assert.deepEqual(named(anchor, { what: "Tasks 1, 2 and 3 overlap; so does task 9." }), [1, 2, 3]);
  assert.deepEqual(named(anchor, { what: "Merge.", fix: "Put tasks 1 to 3 together, or T2 at least." }), [1, 2, 3]);
  assert.deepEqual(named(anchor, { what: "Token bucket has no test for time." }), [1]);
  assert.deepEqual(named(anchor, { what: "R3 is not met." }), [3]);
  assert.deepEqual(named(anchor, { what: "The goal is too vague in 2 ways." }), []);
});

test("findings give leave for what they name, and for a new task only when they ask for one", () => {
  assert.deepEqual(leaveFor([finding({ requirement: "T3" }), finding({ requirement: "T1" })], "", file), {
    tasks: [1, 3],
    mayAdd: false,
  });
  const asking = [
    finding({ requirement: "R2" }, { rule: "missing" }),
    finding({ requirement: "T2" }, { rule: "structure", what: "Too large: split it." }),
    finding({ requirement: "T2" }, { fix: "Move it to a new task." }),
  ];
  for (const one of asking) assert.equal(leaveFor([one], "", file).mayAdd, true);
});

test("a person who names tasks adds them; one who names none may have everything changed", () => {
  const open = [finding({ requirement: "T3" })];
  assert.deepEqual(leaveFor(open, "Fold task 2 into task 1.", file), { tasks: [1, 2, 3], mayAdd: true });
  assert.deepEqual(leaveFor(open, "Make it simpler.", file), { tasks: "all", mayAdd: true });
});

test("the header is what stands before the first task and the block", () => {
  assert.match(headerOf(plan.text), /^# Plan\n\n\*\*Goal:\*\* limit\n.*\n\*\*Tech Stack:\*\* TypeScript$/);
});
