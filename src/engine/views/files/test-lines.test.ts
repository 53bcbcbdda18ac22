import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedTests, Pen, viewOf } from "../../../../test/rig/sample-journal.ts";
import type { FactOf } from "../../../core/flow/fact.ts";
import { testLines } from "./test-lines.ts";

const baseline = { type: "tests.baseline", command: "npm test", total: 12, reporter: "vitest", why: "" } as const;
const compared = (more: Partial<FactOf<"tests.compared">>) => ({ ...comparedTests, ...more });

/** A run of two tasks, with what is said of its tests. */
function planned(failing: readonly string[] = []): Pen {
  const tasks = ["7", "8"].map((id) => ({ id, title: `Task ${id}` }));
  return new Pen()
    .run("g")
    .fact("plan-write", { type: "plan.written", path: "p.md", tasks })
    .fact("execute", { ...baseline, failing });
}

const linesOf = (pen: Pen) => testLines(viewOf(pen.entries));

test("the report says how tests are read, and how many there were and are", () => {
  assert.deepEqual(linesOf(new Pen().run("g")), [], "nothing is said of tests that nobody ran");
  assert.deepEqual(linesOf(planned()), ["- `npm test`, by name (vitest): 12 tests before any work"]);
  const later = planned()
    .fact("execute", compared({ total: 13 }))
    .fact("execute", compared({ total: 14 }));
  assert.deepEqual(linesOf(later), ["- `npm test`, by name (vitest): 12 tests before any work, 14 at the end"]);
  const nameless = { ...baseline, reporter: null, why: "it is a script", total: 0, failing: [] };
  const byCode = new Pen()
    .run("g")
    .fact("execute", nameless)
    .fact("execute", compared({ total: 3 }));
  assert.deepEqual(linesOf(byCode), ["- `npm test`, by exit code alone: it is a script"]);
});

test("what was red before any work is said to be red still, or since when it passes", () => {
  const pen = planned(["a", "b", "c", "d"])
    .fact("execute", compared({ repaired: ["a"], preExisting: ["b", "c", "d"] }))
    .fact("execute", compared({ task: null, repaired: ["b"], preExisting: ["c"] }));
  assert.deepEqual(linesOf(pen).slice(1), [
    "- Red before any work: a (passes since task 1)",
    "- Red before any work: b (passes since the final fixes)",
    "- Red before any work: c (still red)",
    "- Red before any work: d",
  ]);
});

test("a command that took another one's place has lines of its own: what is red in it was not red before any work", () => {
  const pen = planned(["a"])
    .fact("execute", compared({ total: 12, preExisting: ["a"] }))
    .fact("execute", { ...baseline, command: "npm run t", replaces: "npm test", total: 3, failing: ["x"] })
    .fact("execute", compared({ command: "npm run t", total: 4, preExisting: ["x"] }));
  assert.deepEqual(linesOf(pen), [
    "- `npm test`, by name (vitest): 12 tests before any work",
    "- Red before any work: a (still red)",
    "- `npm run t`, in place of `npm test`, by name (vitest): 3 tests at its first run, 4 at the end",
    "- Red at the first run, after earlier tasks: x (still red)",
  ]);
});

test("T1: a task whose tests were pending when the command changed keeps no check mark if the new one is red", () => {
  const done = (pen: Pen, id: string) =>
    pen.fact("execute", {
      type: "task.settled",
      task: id,
      status: "complete",
      commit: "c",
      rounds: 0,
      testsPending: true,
    });
  const late = { ...baseline, command: "npm run t", replaces: "npm test" };
  const good = compared({ command: "npm run t", task: "8" });
  const pendingIn = (pen: Pen) => [...viewOf(pen.entries).tasks.values()].map(({ testsPending }) => testsPending);
  const red = done(planned(), "7")
    .fact("execute", { ...late, failing: ["x"], untested: ["7"] })
    .fact("execute", good);
  assert.deepEqual(pendingIn(red), [true, false]);
  assert.match(
    linesOf(red).at(-1) ?? "",
    /^- Task 1: complete, tests pending; the test command changed before they ran/,
  );
  assert.deepEqual(pendingIn(done(planned(), "7").fact("execute", { ...late, failing: [] })), [false, false]);
});

test("files that the checks run from are listed where a task's commit has them, and installed programs that changed", () => {
  const change = { type: "scripts.changed", command: "npm test", changed: ["ci.sh", "gone.sh"], unseen: [] } as const;
  const settle = { type: "task.settled", status: "skipped", commit: null, rounds: 0 } as const;
  const pen = planned()
    .fact("execute", { ...change, task: "7" })
    .fact("execute", { ...change, task: "8", unseen: ["node_modules/.bin/x"] })
    .fact("execute", { ...settle, task: "8" })
    .fact("execute", { ...change, task: null });
  assert.deepEqual(linesOf(pen).slice(1), [
    "- Task 1 changes ci.sh, gone.sh, which `npm test` runs",
    "- Task 2: node_modules/.bin/x, which `npm test` runs, changed in the meantime, and no diff shows it",
    "- The final fixes change ci.sh, gone.sh, which `npm test` runs",
  ]);
  const committed = planned()
    .fact("execute", { ...change, task: "7" })
    .commit("execute/task-7/commit:task#1", { sha: "c0ffee0", message: "m", files: ["ci.sh"], task: "7" });
  assert.deepEqual(linesOf(committed).slice(1), ["- Task 1 changes ci.sh, which `npm test` runs"]);
  assert.deepEqual(linesOf(new Pen().run("g").fact("x", { ...change, task: null })).length, 1, "also without tests");
});

test("each task says what it broke and repaired, what is broken still, what was flaky and what is no longer run", () => {
  const own = { task: "8", flaky: ["f"] };
  const pen = planned()
    .fact("execute", compared({ ...own, broken: ["a", "b"] }))
    .fact("execute", compared({ ...own, broken: ["b"], vanished: ["v"] }))
    .fact("execute", compared({ task: null, broken: ["c"] }))
    .fact("execute", {
      type: "tests.first",
      task: "8",
      red: ["t.js › t.js"],
      green: ["t.js › a", "t.js › b", "c"],
      why: "",
    });
  assert.deepEqual(linesOf(pen).slice(1), [
    "- Task 2, test first: red without the change (t.js), green with it (t.js › a, t.js › b and 1 more)",
    "- Task 2 broke: a (repaired before its commit)",
    "- Task 2 breaks: b",
    "- Task 2 met a flaky test: f",
    "- Task 2 no longer runs: v",
    "- The final fixes break: c",
  ]);
});

test("what a skipped task broke was taken back with it", () => {
  const skipped = { type: "task.settled", task: "8", status: "skipped", commit: null, rounds: 0 } as const;
  const pen = planned()
    .fact("execute", compared({ task: "8", broken: ["a", "b"] }))
    .fact("execute", compared({ task: "8", broken: ["b"], vanished: ["v"], flaky: ["f"] }))
    .fact("execute", skipped);
  assert.deepEqual(linesOf(pen).slice(1), [
    "- Task 2 broke: a, b (skipped and rolled back)",
    "- Task 2 met a flaky test: f",
  ]);
});
