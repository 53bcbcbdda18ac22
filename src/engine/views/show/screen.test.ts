// What a person or a program sees during a run: status, recap, log and `--json`.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Pen,
  question,
  untilPlan,
  untilQuestion,
  untilTask2,
  viewOf,
  wholeRun,
} from "../../../../test/rig/sample-journal.ts";
import { piToolCall } from "../../../adapters/agents/pi/tools.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { logLine } from "../tell/entries.ts";
import { suspendedEvent, toEvents, toolEvent, warningEvent } from "../tell/events.ts";
import { actionLine, formatToolAction } from "../tell/tool-text.ts";
import { recap } from "./recap.ts";
import { footer, statusLines } from "./status.ts";

test("the footer names the phase, how far it is, and the cost", () => {
  assert.equal(footer(viewOf(untilQuestion().entries)), "⚡ Workflow: brainstorm (questions 1/2) | $0.15");
  const second = untilQuestion().fact("brainstorm", { type: "brainstorm.answer", question: "q1", answer: "x" });
  assert.equal(footer(viewOf(second.entries)), "⚡ Workflow: brainstorm (questions 2/2) | $0.15");
  assert.equal(footer(viewOf(untilPlan().entries)), "⚡ Workflow: configure | $0.15");
  assert.equal(footer(viewOf(untilTask2().entries)), "⚡ Workflow: execute (task 2/3 — reviewing) | $1.70");
  assert.equal(footer(viewOf(wholeRun().entries)), "⚡ Complete! 2/3 tasks. $1.90 total.");
  assert.equal(footer(new RunView()), "⚡ Workflow: starting | $0.00");
});

/** The person has answered the first question and goes back to it from the second. */
function goneBack(): Pen {
  const [first, second] = ["brainstorm/ask:brainstorm.question.1#1", "brainstorm/ask:brainstorm.question.2#1"];
  return untilQuestion()
    .settle(first, "bucket")
    .fact("brainstorm", { type: "brainstorm.answer", question: "q1", answer: "Token bucket" })
    .asks(second, { ...question, id: "brainstorm.question.2" })
    .settle(second, "back")
    .asks("brainstorm/ask:brainstorm.question.1#2", question);
}

test("who goes back to a question is shown there, in the footer and in the recap", () => {
  const view = viewOf(goneBack().entries);
  assert.equal(footer(view), "⚡ Workflow: brainstorm (questions 1/2) | $0.15");
  assert.match(recap(view), /brainstorm, questions 1\/2/);
});

test("a tool call reads as what the agent is doing", () => {
  assert.equal(formatToolAction(piToolCall("read", { path: "src/a.ts" })), "reading src/a.ts");
  assert.equal(formatToolAction(piToolCall("bash", { command: "npm test" })), "running npm test");
  assert.equal(formatToolAction(piToolCall("write", { path: "src/a.ts" })), "writing src/a.ts");
  assert.equal(formatToolAction(piToolCall("edit", { path: "src/a.ts" })), "editing src/a.ts");
  assert.equal(formatToolAction(piToolCall("grep", { pattern: "foo" })), "searching for foo");
  assert.equal(formatToolAction(piToolCall("find", { pattern: "*.ts" })), "finding files...");
  assert.equal(formatToolAction(piToolCall("ls", {})), "ls");
  assert.equal(actionLine("implementer", "running npm test"), "⚡ implementer: running npm test...");
  assert.equal(actionLine("scout", "finding files..."), "⚡ scout: finding files...");
});

test("a tool call with odd arguments still reads, on one short line without control characters", () => {
  assert.equal(formatToolAction(piToolCall("read", null)), "reading...");
  assert.equal(formatToolAction(piToolCall("bash", { command: 5 })), "running...");
  assert.equal(formatToolAction(piToolCall("bash", { command: "a\n\u001b[2Jb\u0007" })), "running a b");
  assert.equal([...formatToolAction(piToolCall("bash", { command: "é".repeat(5000) }))].length, "running ".length + 60);
});

test("status shows tasks, cost, the running agent and the question that waits", () => {
  const task = viewOf(untilTask2().dispatchBegins("execute/task-2/dispatch:spec-review#2", "spec-reviewer", 2).entries);
  const lines = statusLines(task, { now: task.lastAt + 65_000, isAlive: true }).join("\n");
  assert.match(lines, /✓ 1\. Token bucket — complete, \$0\.48, 1aaaaaa/);
  assert.match(lines, /▸ 2\. Middleware — reviewing, 1 round, \$1\.07/);
  assert.match(lines, /○ 3\. Configuration$/m);
  assert.match(lines, /Running: spec-reviewer \(fake\/opus\) for 1m 05s/);
  assert.match(lines, /\$1\.70 \(partly estimated\) in 8 agent calls/);
  const asked = statusLines(viewOf(untilQuestion().entries), { now: 0, isAlive: false }).join("\n");
  assert.match(
    asked,
    /Waiting for you: Question 1 of 2 \(brainstorm\.question\.1\)\n {2}Which algorithm\?\n {4}1\) Token bucket/,
  );
  assert.match(asked, /superteam answer <value> --id brainstorm\.question\.1/);
});

test("status shows a waiting question as it is asked: its lines in their columns, its end, and what each option means", () => {
  const rows = Array.from({ length: 40 }, (_, index) => `  R${index}    a requirement    task ${index}`);
  const message = ["The plan has 3 tasks.", "", ...rows, "", "Estimate: $3.27"].join("\n");
  const options = [
    { key: "approve", label: "Approve" },
    { key: "revise", label: "Ask for changes", hint: "the planner gets your words" },
  ];
  const asked = { id: "plan.approval", kind: "select", title: "Plan", recommended: "approve" } as const;
  const question = { ...asked, message, options };
  const lines = statusLines(viewOf(untilPlan().asks("plan-review/ask:plan.approval#1", question).entries), {
    now: 0,
    isAlive: false,
  }).join("\n");
  assert.match(lines, /\(plan\.approval\)\n {2}The plan has 3 tasks\.\n\n {4}R0 {4}a requirement {4}task 0\n/);
  assert.match(lines, /task 13\n {2}\(20 more lines\)\n {4}R34 .*\n(?:.*\n){6} {2}Estimate: \$3\.27\n/);
  assert.match(lines, / {4}1\) Approve ★\n {4}2\) Ask for changes \[revise\] — the planner/);
});

test("status says what was waived, how a run ended, and what its tasks came to", () => {
  const lines = (pen: Pen) => statusLines(viewOf(pen.entries), { now: 0, isAlive: false });
  const whole = lines(wholeRun());
  assert.ok(whole.includes("Waived (execute/task-3): skipped by you"), whole.join("\n"));
  assert.ok(whole.includes("  ✓ 2. Middleware — complete, 1 round, $1.27, 2aaaaaa"), whole.join("\n"));
  assert.ok(whole.includes("  – 3. Configuration — skipped"), whole.join("\n"));
  assert.deepEqual(
    whole.filter((line) => /^(?:Left|Interrupted|Aborted|Failed)/.test(line)),
    [],
  );
  const aborted = untilTask2().add({ type: "end", ending: { how: "aborted", detail: "by you" } });
  assert.equal(lines(aborted).at(-1), "Aborted: by you");
  assert.equal(footer(viewOf(aborted.entries)), "⚡ Workflow: aborted | $1.70");
  const failure = { kind: "impossible", step: "plan-write", detail: "no tasks" } as const;
  assert.equal(
    lines(untilPlan().add({ type: "end", ending: { how: "failed", failure } })).at(-1),
    "Failed in plan-write: no tasks",
  );
  assert.ok(lines(untilTask2()).includes("  ○ 3. Configuration"), "a task that has not begun says nothing of itself");
});

test("while a design is agreed upon the footer counts its sections", () => {
  const step = (pen: Pen) => footer(viewOf(pen.entries));
  const pen = untilQuestion().fact("brainstorm", { type: "brainstorm.step", step: "design" });
  assert.equal(step(pen), "⚡ Workflow: brainstorm (design) | $0.15");
  pen.fact("brainstorm", { type: "brainstorm.sections", sections: [{ id: "s1" }, { id: "s2" }] });
  assert.equal(step(pen), "⚡ Workflow: brainstorm (design 1/2) | $0.15");
  pen.fact("brainstorm", { type: "brainstorm.section", id: "s1", approved: true });
  assert.equal(step(pen), "⚡ Workflow: brainstorm (design 2/2) | $0.15");
  pen.fact("brainstorm", { type: "brainstorm.section", id: "s2", approved: true });
  assert.equal(step(pen), "⚡ Workflow: brainstorm (design 2/2) | $0.15");
});

test("the recap says where the run stands, what it cost, what was last, and what waits or was interrupted", () => {
  assert.doesNotMatch(recap(viewOf(untilTask2().entries), { isAlive: true }), /interrupted/, "a live run is at work");
  assert.equal(
    recap(viewOf(untilTask2().entries)),
    'Run run-1: task 2/3 "Middleware", spec review round 1; spent $1.70 (partly estimated); last: implementer finished fix (13:58 UTC); interrupted: spec-reviewer',
  );
  assert.equal(
    recap(viewOf(untilQuestion().entries)),
    'Run run-1: brainstorm, questions 1/2; spent $0.15; last: brainstormer finished questions (13:54 UTC); waiting for your answer to "Question 1 of 2" (brainstorm.question.1)',
  );
});

function logOf(pen: Pen): readonly string[] {
  const view = new RunView();
  return pen.entries.flatMap((entry) => logLine(entry, applyEntry(view, entry)) ?? []);
}

test("the log has a line for what matters, with its time and cost, and none for bookkeeping", () => {
  const lines = logOf(wholeRun());
  assert.equal(lines[0], "2026-02-07 13:52:00Z  run run-1 started: Add rate limiting");
  assert.ok(
    lines.includes("2026-02-07 13:53:00Z  scout finished (brainstorm/dispatch:scout#1; 1m 00s, $0.10, fake/opus)"),
  );
  assert.ok(lines.includes("2026-02-07 13:54:00Z  answered brainstorm.question.1: Token bucket"));
  assert.ok(lines.includes("2026-02-07 13:57:00Z  task 2: spec-reviewer asks for changes (1 finding)"));
  assert.ok(
    lines.includes("2026-02-07 14:58:00Z  spec-reviewer started (execute/task-2/dispatch:spec-review#2, try 2)"),
  );
  assert.equal(lines.at(-1), "2026-02-07 14:58:00Z  run finished, $1.90");
  assert.ok(lines.includes("2026-02-07 13:54:00Z  plan: architect approved"));
  assert.ok(lines.includes("2026-02-07 13:54:00Z  configured: execution auto, review iterative"));
  assert.ok(lines.includes("2026-02-07 14:58:00Z  final review: approved"));
  assert.ok(!lines.some((line) => line.includes("config:")));
});

test("a failed dispatch is logged with its kind and what it said", () => {
  const key = "brainstorm/dispatch:scout#1";
  const failed = { status: "failed", kind: "overloaded", detail: "529\nbusy", output: "", model: null };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, estimated: false };
  const pen = new Pen().run("x").dispatchBegins(key, "scout");
  pen.settle(key, { ...failed, usage, durationMs: 1000, commands: [], tree: "t", touched: [], restored: false });
  assert.match(
    logOf(pen).at(-1) ?? "",
    /scout failed, overloaded: 529 busy \(brainstorm\/dispatch:scout#1; 1s, no model\)/,
  );
});

function eventsOf(pen: Pen) {
  const view = new RunView();
  return pen.entries.flatMap((entry) => toEvents(entry, applyEntry(view, entry)));
}

test("a phase tells its label, its stage and who works in it, also one that a loop appended", () => {
  const again = { phase: "plan-review-2", label: "Plan review again", title: "Reviewing again", stage: "plan" };
  const pen = new Pen().run("g").enter("plan-review", "phase").leave("plan-review").enter("plan-review-2", "phase");
  pen.leave("plan-review-2").fact("", { type: "schedule.appended", entries: [{ ...again, type: "review" }] });
  pen.enter("plan-review-2", "phase");
  const phases = eventsOf(pen).flatMap((event) =>
    event.type === "phase.started" ? [[event.label, event.stage, event.work]] : [],
  );
  assert.deepEqual(phases, [
    ["Plan review", "plan", "review"],
    ["plan-review-2", null, null],
    ["Plan review again", "plan", "review"],
  ]);
});

test("the events of a run come in order, numbered by their entries, each with time and run", () => {
  const events = eventsOf(wholeRun());
  assert.deepEqual(Object.keys(events[0] ?? {}).slice(0, 5), ["v", "entry", "ts", "runId", "type"]);
  assert.deepEqual([...new Set(events.map((event) => event.type))].toSorted(), [
    "brainstorm.answer",
    "brainstorm.approach",
    "brainstorm.approaches",
    "brainstorm.questions",
    "brainstorm.section",
    "brainstorm.sections",
    "brainstorm.step",
    "commit.made",
    "configured",
    "design.written",
    "dispatch.finished",
    "dispatch.started",
    "findings.deferred",
    "phase.finished",
    "phase.started",
    "plan.approved",
    "plan.written",
    "question.answered",
    "question.asked",
    "review.finished",
    "run.finished",
    "run.started",
    "task.settled",
    "task.started",
    "task.status",
    "usage",
    "warning",
  ]);
  assert.ok(events.every((event, index) => index === 0 || event.entry >= (events[index - 1]?.entry ?? 0)));
  assert.ok(events.every((event) => event.runId === "run-1" && event.ts.endsWith("Z")));
});

test("events carry what a program needs to follow the run", () => {
  const events = eventsOf(wholeRun());
  const last = (type: string) => events.findLast((event) => event.type === type);
  const stamp = { v: 1, entry: 118, ts: "2026-02-07T14:58:00.000Z", runId: "run-1" };
  assert.deepEqual(
    events.find((event) => event.type === "task.settled" && event.task === "2"),
    { ...stamp, type: "task.settled", task: "2", status: "complete", commit: "2aaaaaa", rounds: 1, costUsd: 1.27 },
  );
  const answered = last("question.answered");
  assert.deepEqual(answered?.type === "question.answered" && [answered.id, answered.answer], [question.id, "bucket"]);
  const dispatched = last("dispatch.finished");
  assert.equal(dispatched?.type === "dispatch.finished" && dispatched.role, "spec-reviewer");
  assert.equal(
    events
      .filter((event) => event.type === "run.started")
      .map((event) => event.resumed)
      .join(),
    "false,true",
  );
});

test("reviews of the plan, of a task and of the run are told apart", () => {
  const told = eventsOf(wholeRun()).flatMap((event) =>
    event.type === "review.finished" ? [`${event.of} ${event.task} ${event.role} ${event.verdict}`] : [],
  );
  assert.deepEqual(told.slice(0, 3), [
    "plan null architect approved",
    "plan null spec-reviewer approved",
    "task 1 spec-reviewer approved",
  ]);
  assert.equal(told.at(-1), "run null final-reviewer approved");
});

test("a check's event says whether it passed", () => {
  const pen = new Pen().run("x").begin("check:tests#1", { do: "check", name: "tests", command: "npm test" });
  pen.settle("check:tests#1", { passed: false, exitCode: 1, durationMs: 5 });
  const { v, entry, ts, runId, ...event } = eventsOf(pen).at(-1) ?? {};
  assert.deepEqual(event, {
    type: "check.finished",
    key: "check:tests#1",
    name: "tests",
    command: "npm test",
    passed: false,
    exitCode: 1,
    durationMs: 5,
  });
  assert.deepEqual([v, entry, ts, runId], [1, 4, "2026-02-07T13:52:00.000Z", "run-1"]);
});

test("what is only seen live has the number of the entry before it", () => {
  const view = viewOf(untilQuestion().entries);
  const use = { key: "k", role: "scout", state: "start", ...piToolCall("read", { path: "a" }), failed: false } as const;
  const tool = toolEvent(view, view.lastAt, use);
  assert.deepEqual([tool.entry, tool.type === "tool" && tool.action], [view.seq, "reading a"]);
  const suspended = suspendedEvent(view, view.lastAt, "question");
  assert.equal(suspended.type === "run.suspended" && suspended.question?.id, "brainstorm.question.1");
  assert.equal(warningEvent(view, view.lastAt, "quiet").type, "warning");
});
