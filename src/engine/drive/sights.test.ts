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

test("the outcome has the commands that ended, cut short, and whether each failed", async () => {
  const one = stage(await newJournal(), {});
  const ran = (state: "start" | "end", failed: boolean, command: string) =>
    ({ type: "tool", state, name: "bash", does: "run", command, failed }) as const;
  async function* works(): AsyncGenerator<AgentEvent> {
    yield* [ran("start", false, "npm test"), ran("end", true, "npm test"), ran("end", false, "x".repeat(300))];
    yield { type: "tool", state: "end", name: "read", does: "read", failed: false };
    yield { type: "finished", text: "done", model: "some/model" };
  }
  Object.assign(one.world.agents, { dispatch: works });
  let commands: unknown;
  await one.go(function* (): Flow<void> {
    commands = (yield* agent("a")).commands;
  });
  assert.deepEqual(commands, [
    { command: "npm test", failed: true },
    { command: "x".repeat(200), failed: false },
  ]);
});

function inShort(sight: LiveEvent): readonly string[] {
  if (sight.type === "agent" && sight.event.type === "tool") return ["tool"];
  return sight.type === "entry" && sight.entry.type === "note" && sight.entry.note.type === "usage" ? ["noted"] : [];
}
