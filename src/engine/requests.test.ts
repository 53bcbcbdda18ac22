import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../test/rig/world.ts";
import { type Flow, wait } from "../core/flow.ts";

test("a clock that was set back makes no wait longer than was asked for", async () => {
  function* flow(): Flow<string> {
    yield* wait("pause", 10);
    return "done";
  }
  const journal = await newJournal();
  const request = { do: "wait", name: "pause", ms: 10 } as const;
  await journal.append({ type: "begin", key: "wait:pause#1", request, tries: 1 }, { sync: false });
  const later = rig(journal);
  Object.assign(later.world, { clock: { now: () => 0 } });
  assert.deepEqual(await later.go(flow), { how: "finished", value: "done" });
});
