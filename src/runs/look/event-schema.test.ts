import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeRun } from "../../../test/rig/sample-journal.ts";
import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { RunView } from "../../engine/views/fold/shape.ts";
import { toEvents } from "../../engine/views/tell/events.ts";
import { RunEvent } from "./event-schema.ts";

test("U9: every event of a run fits the schema, and the plan and its tasks are among them", () => {
  const view = new RunView();
  const events = wholeRun().entries.flatMap((entry) => {
    applyEntry(view, entry);
    return toEvents(entry, view);
  });
  const parsed = events.map((event) => RunEvent.parse(JSON.parse(JSON.stringify(event))));
  const plan = parsed.find((event) => event.type === "plan.written");
  assert.deepEqual(
    plan?.tasks.map(({ title }) => title),
    ["Token bucket", "Middleware", "Configuration"],
  );
  assert.ok(parsed.some(({ type }) => type === "plan.approved"));
  assert.equal(new Set(parsed.map(({ seq }) => seq)).size, parsed.length, "an entry has one event at most");
  assert.equal(RunEvent.safeParse({ ...parsed[0], v: 2 }).success, false, "another version is refused");
});
