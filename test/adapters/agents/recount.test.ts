// A superteam that is killed cannot note what its agent used last. What the agent left tells it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent, TurnUsage } from "../../../src/ports/agents.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never } from "../../rig/agents/rig.ts";

const long = "The bucket holds ten tokens. ".repeat(40);

function heard(events: readonly AgentEvent[]): readonly TurnUsage[] {
  return events.flatMap((event) => (event.type === "usage" ? [{ model: event.model, usage: event.usage }] : []));
}

test("what a dispatch used can be read again from its folder, turn by turn", async () => {
  const twoTurns = ({ turn }: { turn: number }) =>
    turn === 0 ? { tools: [{ name: "ls", args: { path: "." } }] } : { text: "done" };
  await withPi(twoTurns, {}, async ({ agents, order }) => {
    const one = order();
    const events = await eventsOf(agents.dispatch(one, never));
    assert.equal(heard(events).length, 2);
    assert.deepEqual(await agents.recount(one.folder), heard(events));
  });
});

test("a turn that was cut is estimated from what had come in, and a folder that is empty costs nothing", async () => {
  const settings = { retry: { enabled: false } };
  await withPi(
    () => ({ text: long, fault: { kind: "cut" } }),
    { settings },
    async ({ agents, order }) => {
      const one = order();
      const events = await eventsOf(agents.dispatch(one, never));
      const [live] = heard(events);
      const [again] = await agents.recount(one.folder);
      assert.ok(again?.usage.estimated && live?.usage.estimated);
      assert.ok(again.usage.output >= Math.floor(long.length / 8), `${again.usage.output} tokens for what had come in`);
      assert.deepEqual(await agents.recount(`${one.folder}-none`), []);
    },
  );
});
