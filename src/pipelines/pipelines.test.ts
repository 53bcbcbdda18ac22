import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineOf } from "../core/run/pipeline.ts";
import { pipelineNamed, pipelines } from "./pipelines.ts";

test("every pipeline is found by its own name, and an unknown one is not", () => {
  for (const pipeline of pipelines) assert.equal(pipelineNamed(pipeline.name), pipeline);
  assert.equal(pipelineNamed("of a later version"), undefined);
});

for (const { name, schedule, roles, append, ...pipeline } of pipelines) {
  test(`${name}: a phase needs only what an earlier one has produced, and is in the schedule once`, () => {
    const produced = new Set<string>();
    for (const entry of schedule) {
      assert.deepEqual(
        (entry.requires ?? []).filter((thing) => !produced.has(thing)),
        [],
        entry.phase,
      );
      for (const thing of entry.produces ?? []) produced.add(thing);
    }
    assert.equal(new Set(schedule.map(({ phase }) => phase)).size, schedule.length);
  });

  test(`${name}: what a fact appends is in the schedule`, () => {
    const triage = { mode: "full", proposed: "full", reason: "", parts: [], rounds: 5 } as const;
    const appended = [
      ...append({ type: "triaged", breadth: "splits", ...triage }),
      ...append({ type: "part.started", part: 1, of: 2, title: "" }),
      ...append({ type: "report", text: "" }),
    ];
    for (const one of appended) assert.ok(schedule.some(({ phase }) => phase === one));
    const waiting = schedule.filter(({ isAppended = false }) => isAppended).map(({ phase }) => phase);
    assert.deepEqual(
      waiting.filter((phase) => !appended.includes(phase)),
      [],
    );
  });

  test(`${name}: who usually follows a role is a role of the pipeline too`, () => {
    const names = roles.map((role) => role.name);
    for (const { next } of roles) assert.ok(next === undefined || names.includes(next), next);
  });

  test(`${name}: what a run's first entry says of it is plain JSON`, () => {
    const outline = outlineOf({ name, schedule, ...pipeline });
    assert.deepEqual(JSON.parse(JSON.stringify(outline)), outline);
  });
}
