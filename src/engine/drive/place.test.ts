// A child flow works in the place it names: its requests go there, and its begin records say so (E3).

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { check, child, defineFlow, type Flow, startPlace } from "../../core/flow/flow.ts";

function* checkHere(): Flow<boolean> {
  return (yield* check("tests", "npm test")).passed;
}
const flows = { here: defineFlow({ kind: "step", input: z.null(), returns: z.boolean(), run: checkHere }) };

function* both(): Flow<readonly boolean[]> {
  const inTree = yield* child<boolean>({ flow: "here", name: "a", input: null });
  return [inTree, yield* child<boolean>({ flow: "here", name: "b", input: null, place: "other" })];
}

test("a child's requests are performed in its place, and recorded with it", async () => {
  const journal = await newJournal();
  const one = rig(journal);
  const tree = await one.world.places.at(startPlace);
  const red = { run: async () => ({ exitCode: 1, signal: null, timedOut: false, output: "", durationMs: 1 }) };
  const places = { ...one.world.places, at: async (id: string) => (id === "other" ? { ...tree, checks: red } : tree) };
  Object.assign(one.world, { places });
  assert.deepEqual(await one.go(both, flows), { how: "finished", value: [true, false] });
  const where = journal.entries.flatMap((entry) => (entry.type === "begin" ? [[entry.key, entry.place]] : []));
  assert.deepEqual(where, [
    ["a/check:tests#1", "tree"],
    ["b/check:tests#1", "other"],
  ]);
});
