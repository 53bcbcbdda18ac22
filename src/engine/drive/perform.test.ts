import assert from "node:assert/strict";
import { test } from "node:test";
import { newJournal, rig } from "../../../test/rig/world.ts";
import { dispatch, type Flow } from "../../core/flow/flow.ts";
import type { AgentEvent } from "../../ports/agents.ts";

for (const access of ["read", "write"] as const)
  test(`no agent starts that is to ${access} when the person asks for a halt while the tree is looked at`, async () => {
    const journal = await newJournal();
    const one = rig(journal);
    const role = { role: "scout", backend: "b", model: null, capabilities: [] };
    Object.assign(one.world, { roles: { resolve: async () => role } });
    const halted = async () => {
      one.halt.drain("stopped");
      return { sha: "s", branch: "main", tree: "t", ref: "r", leftAlone: [] };
    };
    Object.assign(one.repo, { snapshot: halted, look: halted });
    const end = await one.go(function* (): Flow<void> {
      yield* dispatch({ name: "look", role: "scout", prompt: "Look.", access });
    });
    assert.deepEqual(end, { how: "suspended", why: "stopped" });
    assert.equal(
      journal.entries.some(({ type }) => type === "begin"),
      false,
    );
  });

test("when a provider answers again is told as a time, counted from when the agent ended", async () => {
  const failing = async (more: object): Promise<unknown> => {
    const one = rig(await newJournal());
    one.repo.snapshot = async () => ({ ...(await one.repo.look()), ref: "r" });
    Object.assign(one.world, {
      clock: { ...one.world.clock, now: () => 70_000 },
      roles: { resolve: async () => ({ capabilities: [], model: null, system: "", context: "" }) },
      dispatches: { ...one.world.dispatches, folder: (id: string) => id },
    });
    Object.assign(one.world.agents, {
      end: async () => ({ wasAlive: false, strays: [] }),
      recount: async () => [],
      dispatch: async function* (): AsyncGenerator<AgentEvent> {
        yield { type: "failed", kind: "rate-limited", detail: "busy", output: "", model: null, ...more };
      },
    });
    const end = await one.go(function* (): Flow<unknown> {
      const outcome = yield* dispatch({ name: "look", role: "scout", prompt: "Look.", access: "read" });
      return outcome.status === "failed" ? [outcome.retryAfterMs, outcome.retryAt] : outcome.status;
    });
    return end.how === "finished" ? end.value : end;
  };
  assert.deepEqual(await failing({ retryAfterMs: 5_000 }), [5_000, 75_000]);
  assert.deepEqual(await failing({}), [undefined, undefined]);
});
