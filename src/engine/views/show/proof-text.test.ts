import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedTests, Pen, viewOf } from "../../../../test/rig/sample-journal.ts";
import type { FactOf } from "../../../core/flow/fact.ts";
import { closingCard } from "./closing-card.ts";
import { proofText } from "./proof-text.ts";

const baseline = {
  type: "tests.baseline",
  command: "npm test",
  total: 7,
  failing: [],
  reporter: "node",
  why: "",
} as const;
const sections = [{ id: "s1", requirements: ["R1", "R2"].map((id) => ({ id, text: `It does ${id}` })) }];
const configured = { testCommand: "npm test" };

type Compared = Partial<FactOf<"tests.compared">>;

/** Two tasks, one requirement each; `runs` are those of the tests, `status` is how the second task ended. */
function viewWith(runs: readonly Compared[], status: "complete" | "skipped" = "complete", known: object = baseline) {
  const covering = ["1", "2"].map((id) => ({ id, title: `Task ${id}`, covers: [`R${id}`] }));
  const pen = new Pen()
    .run("Add rate limiting")
    .fact("brainstorm", { type: "brainstorm.sections", sections })
    .fact("plan-write", { type: "plan.written", path: "plan.md", tasks: covering })
    .fact("execute", { ...baseline, ...known });
  for (const run of runs) pen.fact("execute/task-1", { ...comparedTests, ...run });
  for (const [id, end] of [
    ["1", "complete"],
    ["2", status],
  ] as const)
    pen.fact(`execute/task-${id}`, { type: "task.settled", task: id, status: end, commit: null, rounds: 0 });
  const view = viewOf(pen.entries);
  view.config = configured;
  return view;
}

test("U6: the card says how the tests ended, and that each requirement is met", () => {
  const runs = [
    { total: 12, repaired: ["reads minutes"] },
    { task: "2", total: 19 },
  ];
  assert.equal(proofText(viewWith(runs)), "Tests 19 ✓ (12 new, 1 that was red passes) · R1 to R2 met");
  assert.equal(closingCard(viewWith(runs))[2], "  Tests 19 ✓ (12 new, 1 that was red passes) · R1 to R2 met");
});

test("T1: tests that are red have no check mark, whatever was red before", () => {
  assert.match(proofText(viewWith([{ total: 8, preExisting: ["a"] }])), /^Tests 8, 1 red as before \(1 new\) ·/);
  assert.match(proofText(viewWith([{ total: 7, broken: ["a"], preExisting: ["b"] }])), /^Tests 7, 2 red ·/);
  assert.match(proofText(viewWith([{ total: 6, vanished: ["a"] }])), /^Tests 6 ✓ \(1 no longer run\) ·/);
  assert.match(proofText(viewWith([{ total: 0 }], "complete", { reporter: null })), /^Tests ✓ ·/);
  assert.match(proofText(viewWith([{ total: 0, red: true }], "complete", { reporter: null })), /^Tests fail ·/);
});

test("a requirement whose task was skipped is not met, and the tests of that task are no longer there", () => {
  const runs = [{ total: 9 }, { task: "2", total: 12, broken: ["a"] }];
  assert.equal(proofText(viewWith(runs, "skipped")), "Tests 9 ✓ (2 new) · not met: R2");
});

test("nothing is said of tests that never ran, or in a run without a design", () => {
  assert.equal(proofText(viewOf(new Pen().run("g").entries)), "");
  assert.equal(proofText(viewWith([])), "R1 to R2 met");
});
