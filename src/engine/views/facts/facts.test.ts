import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { comparedTests, Pen, untilTask2, viewOf } from "../../../../test/rig/sample-journal.ts";
import type { Fact } from "../../../core/flow/fact.ts";
import { formatProgress } from "../files/progress.ts";
import { formatReport } from "../files/report.ts";
import { applyEntry } from "../fold/run-view.ts";
import { footer, statusLines } from "../show/status.ts";
import { logLine, narrate } from "../tell/entries.ts";
import { toEvents } from "../tell/events.ts";

test("a fact says the same wherever it is told: kept, logged, shown and as JSON", () => {
  const pen = new Pen().run("g").fact("execute/task-1", { type: "waiver", step: "task 1", what: "no tests" });
  const view = viewOf(pen.entries);
  const entry = pen.entries.find(({ type }) => type === "begin");
  assert.ok(entry);
  assert.deepEqual(view.waivers, [{ step: "task 1", what: "no tests" }]);
  assert.equal(view.log.at(-1)?.text, "Waived (task 1): no tests");
  assert.match(logLine(entry, view) ?? "", / {2}waived \(task 1\): no tests$/);
  assert.deepEqual(narrate(entry, view), { text: "waived (task 1): no tests", level: "warning" });
  assert.deepEqual(
    toEvents(entry, view).map((event) => event.type === "warning" && event.text),
    ["waived (task 1): no tests"],
  );
});

/** What the run remembers of a fact, and its line in the log. */
function toldOf(fact: Fact): readonly [string | undefined, string | undefined] {
  const pen = new Pen().run("g").fact("brainstorm", fact);
  const view = viewOf(pen.entries);
  const entry = pen.entries.find(({ type }) => type === "begin");
  assert.ok(entry);
  return [view.log.at(-1)?.text, logLine(entry, view)?.split("  ").at(-1)];
}

test("a mode that differs from the proposed one is shown with both names", () => {
  const triaged = { type: "triaged", reason: "It is small.", breadth: "one", parts: [], rounds: 1 } as const;
  assert.deepEqual(toldOf({ ...triaged, mode: "quick", proposed: "hotfix" }), [
    "Mode: quick (proposed: hotfix)",
    "mode quick (proposed: hotfix, It is small.)",
  ]);
  assert.equal(toldOf({ ...triaged, mode: "quick", proposed: "quick" })[0], "Mode: quick");
  assert.equal(toldOf({ ...triaged, mode: "quick", proposed: "quick", files: 2 })[0], "Mode: quick, 2 files to change");
});

test("a plan is told with its path and its tasks, and one that code made is only in the log", () => {
  const tasks = [{ id: "1", title: "One", complexity: "easy" }] as const;
  assert.deepEqual(toldOf({ type: "plan.written", path: "plan.md", tasks: [...tasks] }), [
    "Plan written (1 task)",
    "plan written: plan.md (1 task)",
  ]);
  const [moment, line] = toldOf({ type: "plan.written", path: null, tasks: [...tasks] });
  assert.equal(line, "plan written: without a document (1 task)");
  assert.doesNotMatch(moment ?? "", /Plan/);
});

test("T3: tests that fail without a name are shown as failed, and what passes is not", () => {
  const shown = (red: boolean) => {
    const pen = new Pen().run("g").fact("execute", { ...comparedTests, red });
    const entry = pen.entries.find(({ type }) => type === "begin");
    return entry && narrate(entry, viewOf(pen.entries));
  };
  const why = "npm test failed, and no failing test explains it";
  assert.deepEqual(shown(true), { text: `✗ tests:\n  ${why}`, level: "warning" });
  assert.deepEqual(shown(false), { text: "✓ tests: passed", level: "info" });
});

test("a kind of fact that only another build knows changes nothing, and is told nowhere", () => {
  for (const type of ["of.another.build", "constructor", "__proto__"]) {
    // Read from a file, a fact may be of any type.
    const fact = { type, task: "1" } as unknown as Fact;
    const [before, view] = [viewOf(untilTask2().entries), viewOf(untilTask2().entries)];
    const entry = {
      type: "begin",
      key: `execute/record:${type}#1`,
      request: { do: "record", fact },
      tries: 1,
      place: "tree",
      seq: view.seq,
      at: view.lastAt,
    } as const;
    applyEntry(view, entry);
    assert.deepEqual({ ...view }, { ...before, subject: { kind: "none" } });
    assert.deepEqual([logLine(entry, view), narrate(entry, view), toEvents(entry, view)], [undefined, undefined, []]);
  }
});

describe("T1: a task whose tests are pending", () => {
  const settled = { type: "task.settled", task: "1", status: "complete", commit: "c".repeat(40), rounds: 0 } as const;
  const pending = () => untilTask2().fact("execute/task-1", { ...settled, testsPending: true });
  const compared = { ...comparedTests, task: null } as const;

  test("has no check mark anywhere, and says so", () => {
    const pen = pending();
    const view = viewOf(pen.entries);
    assert.match(formatReport(view), /🔸 Token bucket \(tests pending, /);
    assert.match(
      statusLines(view, { now: view.lastAt, isAlive: true }).join("\n"),
      /• 1\. Token bucket — complete, tests pending/,
    );
    assert.match(formatProgress(view), /1\. Token bucket — tests pending/);
    assert.match(footer(view), /1 with tests pending|task 2/);
    assert.equal(view.log.at(-1)?.text.startsWith("Task 1 complete, tests pending"), true);
    const entry = pen.entries.findLast(({ type }) => type === "begin");
    assert.ok(entry);
    const [event] = toEvents(entry, view);
    assert.equal(event?.type === "task.settled" && event.testsPending, true);
  });

  test("has one when the tests passed for what came after it, and not when they failed", () => {
    const failed = viewOf(
      pending().fact("execute", { ...compared, broken: ["a"], by: [{ task: "1", tests: ["a"] }] }).entries,
    );
    assert.match(formatReport(failed), /🔸 Token bucket/);
    const passed = viewOf(pending().fact("execute", { ...compared, broken: [] }).entries);
    assert.match(formatReport(passed), /✅ Token bucket/);
  });
});

describe("T1: a task that no test checks has no plain check mark", () => {
  const settled = { type: "task.settled", task: "1", status: "complete", commit: "c".repeat(40), rounds: 0 } as const;
  const baseline = { type: "tests.baseline", command: "npm test", failing: [], reporter: "pytest", why: "" } as const;
  const config = { validationCommand: "", testCommand: "npm test" };
  const before = () => untilTask2().begin("execute/config:#1", { do: "config" }).settle("execute/config:#1", config);

  test("while the test command finds no tests", () => {
    const pen = before()
      .fact("execute", { ...baseline, total: 0 })
      .fact("execute/task-1", settled);
    const report = formatReport(viewOf(pen.entries));
    assert.match(report, /🔸 Token bucket \(not checked/);
    assert.match(report, /## Not Checked\nNot checked: the test command finds no tests/);
    assert.match(report, /- `npm test`, by name \(pytest\): no tests before any work/);
    const still = pen.fact("execute", { ...comparedTests, total: 0, isEmpty: true });
    assert.match(formatReport(viewOf(still.entries)), /## Not Checked/);
    assert.doesNotMatch(
      formatReport(viewOf(pen.fact("execute", { ...comparedTests, total: 1 }).entries)),
      /Not Checked/,
    );
  });

  test("while the person goes without it", () => {
    const waiver = {
      type: "waiver",
      step: "execute.baseline",
      what: "`npm test` fails.",
      command: "npm test",
    } as const;
    const report = formatReport(viewOf(before().fact("execute", waiver).fact("execute/task-1", settled).entries));
    assert.match(report, /🔸 Token bucket \(not checked/);
    assert.match(report, /## Not Checked\nNot checked: you chose to run without the test command/);
  });

  test("while the person goes without the tests, though another check passes", () => {
    const waiver = {
      type: "waiver",
      step: "execute.baseline",
      what: "`npm test` fails.",
      command: "npm test",
    } as const;
    const quick = { validationCommand: "npm run lint", testCommand: "npm test" };
    const pen = untilTask2()
      .begin("execute/config:#1", { do: "config" })
      .settle("execute/config:#1", quick)
      .fact("execute", waiver)
      .fact("execute/task-1", settled);
    const view = viewOf(pen.entries);
    assert.match(formatReport(view), /🔸 Token bucket \(tests not run, /);
    assert.match(formatProgress(view), /1\. Token bucket — tests not run/);
    assert.match(statusLines(view, { now: view.lastAt, isAlive: true }).join("\n"), /• 1\. .*complete, tests not run/);
  });

  test("in the progress file, the log and the events either", () => {
    const pen = before()
      .fact("execute", { ...baseline, total: 0 })
      .fact("execute/task-1", settled);
    const view = viewOf(pen.entries);
    assert.match(formatProgress(view), /1\. Token bucket — not checked/);
    assert.match(view.log.at(-1)?.text ?? "", /^Task 1 complete, not checked/);
    const entry = pen.entries.findLast(({ type }) => type === "begin");
    assert.ok(entry);
    const [event] = toEvents(entry, view);
    assert.equal(event?.type === "task.settled" && event.doubt, "not checked");
    assert.match(logLine(entry, view) ?? "", /task 1 complete, not checked/);
  });
});
