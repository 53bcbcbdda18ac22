import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { dispatch, type Flow } from "../../core/flow/flow.ts";

test("no agent starts when the person asks for a halt while the tree is saved", async () => {
  const journal = await newJournal();
  const one = rig(journal);
  const role = { role: "scout", backend: "b", model: null, capabilities: [] };
  Object.assign(one.world, { roles: { resolve: async () => role } });
  one.repo.snapshot = async () => {
    one.halt.drain("stopped");
    return { sha: "s", branch: "main", tree: "t", ref: "r", leftAlone: [] };
  };
  const end = await one.go(function* (): Flow<void> {
    yield* dispatch({ name: "look", role: "scout", prompt: "Look.", access: "read" });
  });
  assert.deepEqual(end, { how: "suspended", why: "stopped" });
  assert.equal(
    journal.entries.some(({ type }) => type === "begin"),
    false,
  );
});
