import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { Flow } from "../core/flow/flow.ts";
import { definePipeline, outlineOf } from "../core/run/pipeline.ts";
import type { ScheduleEntry } from "../core/run/schedule.ts";
import { pipelineNamed, pipelines } from "./pipelines.ts";

test("every pipeline is found by its own name, and an unknown one is not", () => {
  for (const pipeline of pipelines) assert.equal(pipelineNamed(pipeline.name), pipeline);
  assert.equal(pipelineNamed("of a later version"), undefined);
});

test("a phase that requires what no earlier one produces is refused, with what is missing", () => {
  const declare = (...schedule: readonly ScheduleEntry[]) =>
    definePipeline({ name: "letter", title: "", schedule, input: z.unknown(), returns: z.null(), run: nothing });
  const draft = { phase: "draft", label: "", title: "", produces: ["text"] };
  const proof = { phase: "proof", label: "", title: "", requires: ["text", "stamp"] };
  assert.throws(() => declare(draft, proof), {
    message: "Pipeline letter: the phase proof requires stamp, which no earlier phase produces.",
  });
  assert.throws(() => declare({ ...proof, requires: ["text"] }, draft), /proof requires text/);
  assert.equal(declare(draft, { ...proof, requires: ["text"] }).schedule.length, 2);
});

function* nothing(): Flow<null> {
  return null;
}

for (const { name, schedule, roles, ...pipeline } of pipelines) {
  test(`${name}: a phase is in the schedule once`, () => {
    assert.equal(new Set(schedule.map(({ phase }) => phase)).size, schedule.length);
  });

  test(`${name}: who usually follows a role is a role of the pipeline too`, () => {
    const names = roles.map((role) => role.name);
    for (const { next } of roles) assert.ok(next === undefined || names.includes(next), next);
  });

  test(`${name}: what a run's first entry says of it is plain JSON`, () => {
    const outline = outlineOf({ name, schedule, roles, ...pipeline });
    assert.deepEqual(JSON.parse(JSON.stringify(outline)), outline);
  });
}
