import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeRun } from "../../../test/rig/sample-journal.ts";
import { EventLines } from "../../engine/views/tell/event-lines.ts";
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

/** Every type of event is in the schema, and no other: the compiler says so. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const coversEveryEvent: Same<OutputEvent["type"], RunEvent["type"]> = true;

test("the schema has every type of event, and no other", () => assert.ok(coversEveryEvent));
