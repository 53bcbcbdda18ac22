// What stands below the lines that stay: the boxes of the agents at work, the bar, and the two status lines.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { times } from "../../../../test/rig/property.ts";
import { Pen, startedAt, untilPlan, untilQuestion, untilTask2, viewOf } from "../../../../test/rig/sample-journal.ts";
import { piToolCall } from "../../../adapters/agents/pi/tools.ts";
import { clean } from "../../../core/text/format.ts";
import { widthOf } from "../../../core/text/width.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import type { AgentEvent } from "../../../ports/agents.ts";
import { type Activity, applySign } from "../fold/activity.ts";
import { RunView } from "../fold/shape.ts";
import { workStatus } from "../tell/step-status.ts";
import { activityWidget, agentStatus } from "./activity-widget.ts";
import { percent, progressWidget, stepFractions } from "./progress-widget.ts";
import { boxed } from "./table.ts";

const titles = [
  ...["Create user model", "Add auth middleware", "Add login endpoint", "Add session management", "Add logout"],
  ...["Add tests", "Update docs"],
];

/** A plan of these tasks, approved, in execution. */
function planned(tasks: readonly string[] = titles): Pen {
  const lines = tasks.map((title, index) => ({ id: `${index + 1}`, title }));
  return new Pen()
    .run("Add user authentication")
    .fact("plan-write", { type: "plan.written", path: "p.md", tasks: lines })
    .enter("execute", "phase");
}

function complete(pen: Pen, count: number): Pen {
  for (let id = 1; id <= count; id++) {
    pen.enter(`execute/task-${id}`, "task");
    pen.fact("execute", { type: "task.settled", task: `${id}`, status: "complete", commit: `${id}`, rounds: 0 });
  }
  return pen;
}

/** Folds tool calls, each with how it ended; the last one runs when it has no end. */
function activityOf(key: string, role: string, calls: readonly (readonly [string, unknown, boolean?])[]): Activity {
  const activity: Activity = new Map();
  for (const [name, args, failed] of calls) {
    const call = { type: "tool", ...piToolCall(name, args) } as const;
    const run = { pipeline: superteam };
    applySign(activity, { key, role, event: { ...call, state: "start", failed: false } }, run);
    if (failed !== undefined) applySign(activity, { key, role, event: { ...call, state: "end", failed } }, run);
  }
  return activity;
}

test("an implementer's box shows the task, who works on it, and what it did last with red and green", () => {
  const key = "execute/task-3/dispatch:implement#1";
  const pen = complete(planned(), 2).enter("execute/task-3", "task").dispatchBegins(key, "implementer");
  const path = "src/middleware/auth.ts";
  const activity = activityOf(key, "implementer", [
    ["read", { path: "src/middleware/index.ts" }, false],
    ["write", { path: "src/middleware/auth.test.ts" }, false],
    ["bash", { command: "vitest run auth" }, true],
    ["write", { path }, false],
    ["bash", { command: "vitest run auth" }, false],
    ["edit", { path }, false],
    ["bash", { command: "vitest run" }],
  ]);
  assert.deepEqual(activityWidget(viewOf(pen.entries), activity, 54), [
    "┌─ ⚡ Task 3/7: Add login endpoint ──────────────────┐",
    "│  implementer (fake/opus)                           │",
    "│  ├ read src/middleware/index.ts                    │",
    "│  ├ write src/middleware/auth.test.ts               │",
    "│  ├ bash: vitest run auth ✗ (RED — expected)        │",
    "│  ├ write src/middleware/auth.ts                    │",
    "│  ├ bash: vitest run auth ✓ (GREEN)                 │",
    "│  ├ edit src/middleware/auth.ts (refactoring)       │",
    "│  └ bash: vitest run                                │",
    "└────────────────────────────────────────────────────┘",
  ]);
  assert.equal(agentStatus(viewOf(pen.entries), activity), "⚡ implementer: running vitest run...");
});

test("U13: what a running command has printed last stands below it, until it ends", () => {
  const key = "execute/task-3/dispatch:implement#1";
  const view = viewOf(
    complete(planned(), 2).enter("execute/task-3", "task").dispatchBegins(key, "implementer").entries,
  );
  const build = piToolCall("bash", { command: "npm run build" });
  const calls = [build, piToolCall("bash", { command: "npm test" })];
  const activity: Activity = new Map();
  const sign = (event: AgentEvent) => applySign(activity, { key, role: "implementer", event }, { pipeline: superteam });
  for (const call of calls) sign({ type: "tool", state: "start", ...call, failed: false });
  for (const call of calls) sign({ type: "output", ...call, line: "\u001b[32mok 1\u001b[39m - takes a token" });
  sign({ type: "tool", state: "end", ...build, failed: false });
  assert.deepEqual(activityWidget(view, activity, 54)?.slice(2, -1), [
    "│  ├ bash: npm run build                             │",
    "│  ├ bash: npm test                                  │",
    "│  └ > ok 1 - takes a token                          │",
  ]);
});

test("a reviewer's box is headed by the review, and says what it does when it uses no tool", () => {
  const key = "execute/task-3/dispatch:spec-review#1";
  const pen = complete(planned(), 2).enter("execute/task-3", "task");
  pen.fact("execute", { type: "task.status", task: "3", status: "reviewing", round: 0 });
  const view = viewOf(pen.dispatchBegins(key, "spec-reviewer").entries);
  const activity = activityOf(key, "spec-reviewer", [
    ["read", { path: "src/middleware/auth.ts" }, false],
    ["grep", { pattern: "authenticate", path: "src/" }, false],
  ]);
  assert.deepEqual(activityWidget(view, activity, 54), [
    "┌─ ⚡ Task 3/7: spec review ─────────────────────────┐",
    "│  spec-reviewer (fake/opus)                         │",
    "│  ├ read src/middleware/auth.ts                     │",
    '│  ├ grep "authenticate" src/                        │',
    "│  └ (analyzing spec compliance...)                  │",
    "└────────────────────────────────────────────────────┘",
  ]);
  assert.equal(agentStatus(view, activity), "⚡ Executing task 3/7 — reviewing...");
});

test("a line that is too long is cut before its mark", () => {
  const key = "execute/task-1/dispatch:implement#1";
  const view = viewOf(planned().dispatchBegins(key, "implementer").entries);
  const activity = activityOf(key, "implementer", [["bash", { command: `node --test ${"a.js ".repeat(9)}` }, true]]);
  assert.equal(activityWidget(view, activity, 54)?.[2], "│  ├ bash: node --test a.js a.js… ✗ (RED — expected) │");
});

test("reviewers that run side by side have a box each, with the room shared", () => {
  const keys = ["plan-review/dispatch:architect#1", "plan-review/dispatch:spec-review#1"] as const;
  const pen = new Pen().run("g").enter("plan-review", "phase");
  pen.dispatchBegins(keys[0], "architect").dispatchBegins(keys[1], "spec-reviewer");
  const many = Array.from({ length: 20 }, (_, n) => ["read", { path: `${n}` }, false] as const);
  const activity = new Map([...activityOf(keys[0], "architect", many), ...activityOf(keys[1], "spec-reviewer", [])]);
  assert.deepEqual(activityWidget(viewOf(pen.entries), activity, 40), [
    "┌─ ⚡ Reviewing plan... ───────────────┐",
    "│  architect (fake/opus)               │",
    "│  ├ read 17                           │",
    "│  ├ read 18                           │",
    "│  ├ read 19                           │",
    "│  └ (analyzing the plan...)           │",
    "└──────────────────────────────────────┘",
    "┌─ ⚡ Reviewing plan... ───────────────┐",
    "│  spec-reviewer (fake/opus)           │",
    "│  └ (analyzing spec compliance...)    │",
    "└──────────────────────────────────────┘",
  ]);
  for (const n of [1, 2]) pen.dispatchBegins(`plan-review/dispatch:x#${n}`, "planner");
  assert.equal(activityWidget(viewOf(pen.entries), activity, 40)?.at(-1), "and 1 more agent");
});

test("an agent that has no model yet is starting, and no agent is no box", () => {
  const request = { do: "dispatch", name: "scout", role: "scout", prompt: "p", access: "read" } as const;
  const pen = new Pen().run("g").begin("brainstorm/dispatch:scout#1", request);
  assert.deepEqual(activityWidget(viewOf(pen.entries), new Map(), 54)?.slice(1, 3), [
    "│  scout (waiting for its model)                     │",
    "│  └ (starting...)                                   │",
  ]);
  assert.equal(activityWidget(new RunView(), new Map(), 54), undefined);
  assert.equal(agentStatus(new RunView(), new Map()), undefined);
});

/** The header of the box and the status, for a dispatch of this name in this phase. */
function textsOf(key: string, role: string, pen = new Pen().run("g")): readonly [string, string | undefined] {
  const view = viewOf(pen.dispatchBegins(key, role).entries);
  const [header = ""] = activityWidget(view, new Map(), 80) ?? [];
  return [header.replace(/^┌─ | ─*┐$/g, ""), agentStatus(view, new Map())];
}

const steps: readonly (readonly [string, string, string, string])[] = [
  ["brainstorm/dispatch:scout#1", "scout", "Brainstorm: scout exploring codebase", "Scouting codebase"],
  ["brainstorm/dispatch:questions#1", "brainstormer", "Brainstorm: generating questions", "Generating questions"],
  ["brainstorm/dispatch:approaches#1", "brainstormer", "Brainstorm: proposing approaches", "Generating approaches"],
  ["brainstorm/dispatch:design#1", "brainstormer", "Brainstorm: writing design", "Writing design"],
  [
    "brainstorm/dispatch:section-2#1",
    "brainstormer",
    "Brainstorm: revising section 2",
    "Brainstorm: revising section 2",
  ],
  ["plan-write/dispatch:plan#1", "planner", "Writing implementation plan", "Writing implementation plan"],
  ["plan-review/dispatch:architect#1", "architect", "Reviewing plan", "Reviewing plan"],
  ["plan-review/dispatch:revise#1", "planner", "Revising plan", "Revising plan"],
  ["finalize/dispatch:final-review#1", "final-reviewer", "Final review", "Final review"],
  ["finalize/dispatch:docs#1", "implementer", "Updating documentation", "Updating documentation"],
  ["finalize/dispatch:more#1", "implementer", "Finalizing: more", "Finalizing: more"],
  ["other/dispatch:a-thing#1", "scout", "scout: a thing", "scout: a thing"],
];

for (const [key, role, header, status] of steps) {
  test(`${key} is shown as the step it is`, () => {
    assert.deepEqual(textsOf(key, role), [`⚡ ${header}...`, `⚡ ${status}...`]);
  });
}

test("a task's step is shown with its number and its status", () => {
  const pen = planned(["a", "b", "c", "d", "e"]).enter("execute/task-1", "task");
  pen.fact("execute", { type: "task.status", task: "1", status: "implementing", round: 0 });
  const [, status] = textsOf("execute/task-1/dispatch:implement#1", "implementer", pen);
  assert.equal(status, "⚡ Executing task 1/5 — implementing...");
});

test("what takes time without an agent is told too", () => {
  const status = (request: Parameters<Pen["begin"]>[1]) =>
    viewOf(new Pen().run("g").begin("k:x#1", request).entries)
      .open.values()
      .map((open) => workStatus(open, startedAt + 65_000))
      .next().value;
  assert.equal(
    status({ do: "check", name: "validation", command: "npm run check" }),
    "⚡ Running validation: npm run check... 1m 05s",
  );
  assert.equal(status({ do: "wait", name: "backoff", ms: 15_000 }), "⚡ Waiting 15s before the next try... 1m 05s");
  assert.equal(
    status({ do: "wait", name: "quota", ms: 20 * 60_000, away: true }),
    "⚡ waiting for the provider until 14:12 UTC (18m 55s)",
  );
  const from = { sha: "s", branch: null, tree: "t", ref: "r", leftAlone: [] };
  assert.equal(status({ do: "open-place", name: "try", from }), "⚡ Preparing a worktree... 1m 05s");
  assert.equal(status({ do: "config" }), undefined);
});

test("the bar shows what is built, the percentage, the task at work and all tasks", () => {
  const pen = complete(planned(), 3).enter("execute/task-4", "task");
  pen.fact("execute", { type: "task.status", task: "4", status: "reviewing", round: 0 });
  pen.fact("execute", {
    type: "review.finished",
    task: "4",
    role: "spec-reviewer",
    round: 0,
    verdict: "approved",
    findings: [],
  });
  assert.deepEqual(progressWidget(viewOf(pen.entries), 76), [
    "│ Workflow: Add user authentication",
    "│ ■■■■■■■■■■■□□□□□□□□□ 55%  (task 4/7)",
    "│ ✓ Create user model  ✓ Add auth middleware  ✓ Add login endpoint",
    "│ ▸ Add session management  ○ Add logout  ○ Add tests  ○ Update docs",
  ]);
});

test("each step of a task is worth a fixed fraction of it", () => {
  assert.deepEqual(stepFractions, {
    pending: 0,
    implementing: 0.2,
    reviewing: 0.6,
    fixing: 0.6,
    escalated: 0.6,
    "reviewed once": 0.85,
    complete: 1,
    skipped: 1,
  });
  const at = (status: "implementing" | "reviewing" | "fixing" | "escalated") =>
    percent(viewOf(planned(["a", "b"]).fact("execute", { type: "task.status", task: "1", status, round: 0 }).entries));
  assert.deepEqual([at("implementing"), at("reviewing"), at("fixing"), at("escalated")], [10, 30, 30, 30]);
  assert.equal(percent(viewOf(complete(planned(), 7).entries)), 100);
  assert.equal(percent(viewOf(complete(planned(), 6).entries)), 85);
  assert.equal(percent(new RunView()), 0);
});

test("tasks that were skipped count as done, and only a finished plan fills the bar", () => {
  const pen = planned(["a", "b", "c"]);
  for (const task of ["1", "2", "3"])
    pen.fact("execute", { type: "task.settled", task, status: "skipped", commit: null, rounds: 0 });
  assert.match(
    progressWidget(viewOf(pen.entries), 60)?.join("\n") ?? "",
    /■{20} 100% {2}\(task 1\/3\)\n│ – a {2}– b {2}– c$/,
  );
  assert.match(progressWidget(viewOf(untilTask2().entries), 60)?.[1] ?? "", /■{10}□{10} 53% {2}\(task 2\/3\)/);
});

test("of many tasks those around the one at work are shown", () => {
  const pen = complete(planned(Array.from({ length: 1000 }, (_, n) => `Task number ${n + 1}`)), 500);
  const rows = progressWidget(viewOf(pen.enter("execute/task-501", "task").entries), 76) ?? [];
  assert.equal(rows.length, 5);
  assert.match(rows[2] ?? "", /^│ … 499 before {2}✓ Task number 500 {2}○ Task number 501/);
  assert.match(rows[4] ?? "", /… 49\d more$/);
});

test("all tasks are shown as long as they fit, to the last column of the third row", () => {
  const words = ["aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee", "fffff"];
  const rows = (width: number) => progressWidget(viewOf(complete(planned(words), 3).entries), width)?.slice(2);
  assert.deepEqual(rows(18), ["│ ✓ aaaaa  ✓ bbbbb", "│ ✓ ccccc  ○ ddddd", "│ ○ eeeee  ○ fffff"]);
  assert.equal(rows(17)?.[0], "│ … 2 before", "narrower by one, each stands alone");
});

test("there is no bar before tasks are worked on, nor after the end", () => {
  assert.equal(progressWidget(viewOf(untilQuestion().entries), 76), undefined);
  assert.equal(progressWidget(viewOf(untilPlan().entries), 76), undefined);
  const ended = complete(planned(), 7).add({ type: "end", ending: { how: "finished", value: null } });
  assert.equal(progressWidget(viewOf(ended.entries), 76), undefined);
});

/** Text as agents and repositories have it, wide characters included. */
const text = fc.string({ unit: "grapheme", maxLength: 60 }).map((some) => clean(some).replace(/\n/g, " "));

test("every line of a box is as wide as the box, whatever is in it", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), fc.integer({ min: 12, max: 120 }), (title, lines, width) => {
      for (const line of boxed(title, lines, width)) assert.equal(widthOf(line), width);
    }),
  );
});

test("the widgets fit their width for any title, goal and number of tasks", () => {
  const fits = (view: RunView, width: number) => {
    for (const line of progressWidget(view, width) ?? []) assert.ok(widthOf(line) <= width, line);
  };
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), fc.integer({ min: 30, max: 100 }), (tasks, width) => {
      const rows = progressWidget(viewOf(planned(tasks).entries), width) ?? [];
      assert.ok(rows.length >= 3 && rows.length <= 5, rows.join("\n"));
      fits(viewOf(planned(tasks).entries), width);
    }),
    { numRuns: times(50) },
  );
});
