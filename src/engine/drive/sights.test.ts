// What is seen of an agent while it works, and when it is on disk.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, stage, usd } from "../../../test/rig/spending.ts";
import { newJournal } from "../../../test/rig/world.ts";
import type { Flow } from "../../core/flow/flow.ts";
import type { AgentEvent } from "../../ports/agents.ts";
import type { LiveEvent } from "./recorder.ts";

test("what a turn used is noted when the turn ends, before the agent's next tool", async () => {
  const one = stage(await newJournal(), {});
  const tool = { type: "tool", state: "start", name: "read", does: "read", failed: false } as const;
  const used = { type: "usage", model: "some/model", usage: usd(1) } as const;
  async function* works(): AsyncGenerator<AgentEvent> {
    yield* [tool, used, tool, used];
    yield { type: "finished", text: "done", model: "some/model" };
  }
  Object.assign(one.world.agents, { dispatch: works });
  await one.go(function* (): Flow<void> {
    yield* agent("a");
  });
  assert.deepEqual(one.sights.flatMap(inShort), ["tool", "noted", "tool", "noted"]);
});

function inShort(sight: LiveEvent): readonly string[] {
  if (sight.type === "agent" && sight.event.type === "tool") return ["tool"];
  return sight.type === "entry" && sight.entry.type === "note" && sight.entry.note.type === "usage" ? ["noted"] : [];
}
