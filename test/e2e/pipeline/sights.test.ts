// Every agent of a run can be seen at work: those that are asked again, and those that work side by side.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveEvent } from "../../../src/engine/drive/recorder.ts";
import { story } from "../../rig/pipeline/story.ts";

test("each dispatch of a run is seen while it goes on, a retry and both reviewers of the plan included", async (context) => {
  const seen = new Map<string, LiveEvent[]>();
  const told = await story(context).live({
    scripts: { "brainstorm/questions 1": { text: "No block at all." } },
    around: (world) => ({
      ...world,
      watch: (sight) => {
        if (sight.type === "agent") seen.set(sight.key, [...(seen.get(sight.key) ?? []), sight]);
        world.watch(sight);
      },
    }),
  });
  assert.equal(told.end.how, "finished");
  const keys = told.entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "dispatch" ? [entry.key] : [],
  );
  const planted = [
    "brainstorm/dispatch:questions#2",
    "plan-review/architect/dispatch:architect-review#1",
    "plan-review/spec-reviewer/dispatch:plan-spec-review#1",
  ];
  for (const key of planted) assert.ok(keys.includes(key), `${key} is not among ${keys.join(", ")}`);
  assert.deepEqual([...seen.keys()].sort(), [...keys].sort());
  for (const [key, sights] of seen) assert.ok(sights.length > 1, `${key} was seen only once`);
});
