// What the guard did, where a person sees it: in the log, in the report, in the lines for programs, and while it happens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, Pen, viewOf } from "../../../../test/rig/sample-journal.ts";
import { piToolCall } from "../../../adapters/agents/pi/tools.ts";
import type { GuardNote, TestFirst } from "../../../core/test-first/guard.ts";
import { superteam } from "../../../pipelines/superteam.ts";
import { formatReport } from "../files/report.ts";
import { type Activity, applySign } from "../fold/activity.ts";
import { applyEntry } from "../fold/run-view.ts";
import { RunView } from "../fold/shape.ts";
import { agentWarning } from "./agent-warning.ts";
import { logLine } from "./entries.ts";
import { toEvents } from "./events.ts";
import { testFirstText } from "./test-first.ts";

const quiet: TestFirst = { heldBack: 0, files: [], sawRed: true, sawGreen: true, gaveWay: false };
const held: TestFirst = { ...quiet, heldBack: 2, files: ["src/a.ts"] };
const key = "execute/task-2/dispatch:implement#1";

function journal(testFirst: TestFirst): Pen {
  const tasks = ["1", "2"].map((id) => ({ id, title: `Task ${id}` }));
  return new Pen()
    .run("g")
    .fact("plan-write", { type: "plan.written", path: "p.md", tasks })
    .dispatchBegins(key, "implementer")
    .settle(key, { ...finished(0.1, "done"), testFirst });
}

/** The last entry, as the log and `--json` tell it. */
function told(pen: Pen) {
  const view = new RunView();
  return pen.entries.map((entry) => {
    applyEntry(view, entry);
    return { line: logLine(entry, view) ?? "", events: toEvents(entry, view) };
  });
}

test("what was held back is told in one line, with what came of it", () => {
  assert.equal(testFirstText(held), "2 writes held back until a test had failed (src/a.ts)");
  assert.equal(testFirstText({ ...held, sawRed: false }), "2 writes held back, and no test failed (src/a.ts)");
  const gaveWay = { ...held, heldBack: 3, gaveWay: true, sawRed: false };
  assert.equal(testFirstText(gaveWay), "3 writes held back, then let through without a failing test (src/a.ts)");
  const files = ["a.ts", "b.ts", "c.ts", "d.ts"];
  assert.match(testFirstText({ ...held, files }) ?? "", /\(a\.ts, b\.ts, c\.ts and 1 more\)$/);
});

test("a guard that held nothing back is not told of", () => {
  assert.equal(testFirstText(quiet), undefined);
  assert.equal(testFirstText(undefined), undefined);
  assert.doesNotMatch(formatReport(viewOf(journal(quiet).entries)), /Test First/);
});

test("log and report say what was held back, and in which task", () => {
  const last = told(journal(held)).at(-1);
  assert.match(last?.line ?? "", /implementer finished \(.*\); test first: 2 writes held back until a test had failed/);
  assert.match(
    formatReport(viewOf(journal(held).entries)),
    /\n## Test First\n- Task 2: 2 writes held back until a test had failed \(src\/a\.ts\)\n/,
  );
});

test("programs are given all of it, quiet or not, and nothing where there was no guard", () => {
  const [event] = told(journal(quiet)).at(-1)?.events ?? [];
  assert.deepEqual(event?.type === "dispatch.finished" && event.testFirst, quiet);
  const plain = new Pen().run("g").dispatch(key, "implementer", 0.1);
  assert.ok(!("testFirst" in (told(plain).at(-1)?.events[0] ?? {})));
});

/** Writes and runs of one agent, as they are seen while it works. */
function seen(...calls: readonly (readonly [string, object, boolean, GuardNote?])[]) {
  const activity: Activity = new Map();
  const warnings: string[] = [];
  for (const [name, args, failed, guard] of calls) {
    for (const state of ["start", "end"] as const) {
      const at = state === "end" ? { failed, ...(guard ? { guard } : {}) } : { failed: false };
      const sign = {
        key: "k",
        role: "implementer",
        event: { type: "tool", state, ...piToolCall(name, args), ...at },
      } as const;
      const warning = agentWarning(applySign(activity, sign, { pipeline: superteam }), sign);
      if (warning !== undefined) warnings.push(warning);
    }
  }
  return { warnings, lines: activity.get("k")?.actions.map(({ line, mark }) => `${line} ${mark}`.trim()) };
}

const write = { path: "src/a.ts" };

test("who is held back is seen so at once, and is not taken for an agent in trouble", () => {
  const note = { did: "held-back", file: "src/a.ts" } as const;
  const { lines, warnings } = seen(
    ["write", write, true, note],
    ["write", write, true, note],
    ["write", write, true, note],
  );
  assert.deepEqual(lines, Array(3).fill("write src/a.ts ✗ (test first)"));
  const said =
    "implementer is held back from writing src/a.ts: no test has failed yet. It was asked for a failing test first.";
  assert.deepEqual(warnings, Array(3).fill(said));
  const run = ["bash", { command: "npm test" }, true, { did: "saw-red" }] as const;
  const after = seen(["write", write, true, note], ["write", write, true, note], run);
  assert.deepEqual(after.warnings, [said, said], "only one call has failed");
});

test("that the guard gave way is told when it happens", () => {
  const { warnings } = seen(["write", write, false, { did: "gave-way", file: "src/a.ts" }]);
  assert.match(warnings[0] ?? "", /^implementer writes src\/a\.ts without a failing test/);
});

test("red and green are what the guard has read, also behind a pipe", () => {
  const command = { command: "npm test | tail -5" };
  const { lines } = seen(["bash", command, false, { did: "saw-red" }], ["bash", command, false, { did: "saw-green" }]);
  assert.deepEqual(lines, ["bash: npm test | tail -5 ✗ (RED — expected)", "bash: npm test | tail -5 ✓ (GREEN)"]);
});

test("an agent whose tests fail again and again may still be in trouble", () => {
  const run = ["bash", { command: "npm test" }, true, { did: "saw-red" }] as const;
  assert.match(seen(run, run, run).warnings[0] ?? "", /may be in trouble/);
});
