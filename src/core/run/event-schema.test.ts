import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedTests, Pen, untilQuestion, viewOf, wholeRun } from "../../../test/rig/sample-journal.ts";
import { EventLines } from "../../engine/views/tell/event-lines.ts";
import { suspendedEvent, toolEvent, warningEvent } from "../../engine/views/tell/events.ts";
import type { OutputEvent } from "../../engine/views/tell/output-event.ts";
import { RunEvent } from "./event-schema.ts";

test("U9: every event of a run fits the schema, and the plan and its tasks are among them", () => {
  const lines = new EventLines();
  lines.journaled(wholeRun().entries);
  const parsed = lines.made().map((line) => RunEvent.parse(JSON.parse(line)));
  const plan = parsed.find((event) => event.type === "plan.written");
  assert.deepEqual(
    plan?.tasks.map(({ title }) => title),
    ["Token bucket", "Middleware", "Configuration"],
  );
  assert.ok(parsed.some(({ type }) => type === "plan.approved"));
  assert.equal(new Set(parsed.map(({ entry }) => entry)).size, parsed.length, "an entry has one event at most");
  assert.equal(RunEvent.safeParse({ ...parsed[0], v: 2 }).success, false, "another version is refused");
});

test("U9: so do the events of what a good run does not have, and each needs all that its type has", () => {
  const check = { passed: true, exitCode: 0, timedOut: false, output: "", durationMs: 2, tree: "t" };
  const tests = { command: "npm test", total: 3, failing: ["a"], reporter: "jest", why: "" };
  const forecast = {
    dispatches: 1,
    lowUsd: 0,
    expectedUsd: 1,
    highUsd: 2,
    lowMs: 0,
    highMs: 1,
    samples: 3,
    spentUsd: 0,
  };
  const pen = new Pen()
    .run("g")
    .fact("x", { type: "triaged", mode: "quick", proposed: "quick", reason: "r", breadth: "one", parts: [], rounds: 2 })
    .fact("x", { type: "part.started", part: 1, of: 2, title: "First" })
    .fact("x", { type: "plan.loaded", path: "p.md", task: { id: "1", title: "One" }, of: 2 })
    .fact("x", { type: "forecast", forecast })
    .fact("x", { type: "tests.baseline", ...tests })
    .fact("x", comparedTests)
    .fact("x", { type: "writer.said", work: "final fixes", said: "Done.", concerns: ["Old."], disputed: [] })
    .begin("x/check:c#1", { do: "check", name: "c", command: "npm test" })
    .settle("x/check:c#1", check)
    .begin("x/wait:w#1", { do: "wait", name: "w", ms: 1 })
    .settle("x/wait:w#1", null);
  const lines = new EventLines();
  lines.journaled(pen.entries);
  const view = viewOf(untilQuestion().entries);
  const tool = { key: "k", role: "scout", state: "start", name: "read", does: "read", failed: false } as const;
  const live = [toolEvent(view, 0, tool), warningEvent(view, 0, "Careful."), suspendedEvent(view, 0, "stopped")];
  const events = [
    ...lines.made().map((line) => JSON.parse(line)),
    ...live.map((event, seq) => ({ ...event, seq: seq + 1 })),
  ];
  for (const event of events) {
    assert.deepEqual(RunEvent.parse(event), event);
    assert.equal(RunEvent.safeParse({ ...event, type: "" }).success, false);
    assert.equal(RunEvent.safeParse({ ...event, runId: undefined }).success, false);
  }
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type !== "warning" && type !== "run.started"),
    [
      ...["triaged", "part.started", "plan.loaded", "forecast", "tests.baseline", "tests.compared", "writer.said"],
      ...["check.finished", "wait.started", "wait.finished", "tool", "run.suspended"],
    ],
  );
});

/** Every type of event is in the schema, and no other: the compiler says so. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const coversEveryEvent: Same<OutputEvent["type"], RunEvent["type"]> = true;

test("the schema has every type of event, and no other", () => assert.ok(coversEveryEvent));
