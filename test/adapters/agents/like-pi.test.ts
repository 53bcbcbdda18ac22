// The quick pi that most tests of the command line use does what pi does: the same events for us, the same conversation with the
// model, the same files. A pi of another version, or one that changed its ways, turns this red.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ModelPlay, Reaction, ToolResult } from "../../../src/demo/model/play.ts";
import type { AgentOrder } from "../../../src/ports/agents.ts";
import { quickPi, realPi } from "../../rig/agents/backends.ts";
import { withPi } from "../../rig/agents/pi.ts";
import { eventsOf, never } from "../../rig/agents/rig.ts";

const calls = (name: string, args: Readonly<Record<string, unknown>>): Reaction => ({ tools: [{ name, args }] });

const conversations: Readonly<Record<string, readonly Reaction[]>> = {
  "a text of several lines and a price of its own": [
    { text: "One\n\ntwo, with ä and €\n", usage: { input: 5000, output: 700, cacheRead: 30, cacheWrite: 4 } },
  ],
  "a folder that is looked at, a file that is written, edited and read, and commands that work, say nothing and fail": [
    calls("ls", { path: "." }),
    { text: "I write.", ...calls("write", { path: "deep/new.txt", content: "first\n" }) },
    calls("edit", { path: "deep/new.txt", edits: [{ oldText: "first", newText: "$& second" }] }),
    calls("read", { path: "deep/new.txt" }),
    calls("bash", { command: "echo out; echo more >> there.txt" }),
    calls("bash", { command: "true" }),
    calls("bash", { command: "echo half; exit 3" }),
    { text: "Done." },
  ],
};

async function outcomeOf(which: "real" | "quick", reactions: readonly Reaction[], changes: Partial<AgentOrder>) {
  const results: (readonly ToolResult[])[] = [];
  const play: ModelPlay = ({ turn, results: given }) => {
    results.push(given);
    return reactions[turn] ?? { text: "?" };
  };
  const program = await (which === "real" ? realPi() : quickPi());
  let outcome: unknown;
  await withPi(play, { program }, async ({ agents, order, cwd, server }) => {
    writeFileSync(join(cwd, "there.txt"), "there\n");
    const all = await eventsOf(agents.dispatch(order(changes), never));
    const events = all.filter(({ type }) => type !== "spawned");
    const asked = server.requests.map(({ prompt, tools, model, turn }) => ({ prompt, tools, model, turn }));
    const names = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = names.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);
    outcome = JSON.parse(JSON.stringify({ events, results, asked, files }).replaceAll(cwd, "<tree>"), rounded);
  });
  return outcome;
}

/** Costs are sums of fractions. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toFixed(9)) : value;
}

const tools: Partial<AgentOrder> = { capabilities: ["read", "search", "run", "write"] };

for (const [what, reactions] of Object.entries(conversations)) {
  test(`the quick pi does the same as pi: ${what}`, async () => {
    const [real, quick] = await Promise.all([
      outcomeOf("real", reactions, tools),
      outcomeOf("quick", reactions, tools),
    ]);
    assert.deepEqual(quick, real);
  });
}

test("the quick pi does the same as pi: an agent without tools, with a model of its own", async () => {
  const changes: Partial<AgentOrder> = { capabilities: [], model: "scripted/scripted-model" };
  const [real, quick] = await Promise.all([
    outcomeOf("real", [{ text: "Fine." }], changes),
    outcomeOf("quick", [{ text: "Fine." }], changes),
  ]);
  assert.deepEqual(quick, real);
});

test("the quick pi has the version of pi, and refuses what it does not know", async () => {
  assert.equal((await quickPi()).version, (await realPi()).version);
  const failed = JSON.stringify(await outcomeOf("quick", [{ fault: { kind: "overloaded" } }], {}));
  assert.match(failed, /The quick pi does not know the status 529/);
});
