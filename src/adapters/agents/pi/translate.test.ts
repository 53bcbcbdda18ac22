import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../../ports/agents.ts";
import { cutTurn, newConversation, type PiConversation, translate } from "./translate.ts";

const sent = { backend: "pi", model: null, capabilities: [], characters: 1_000 };
const cost = { input: 0.003, output: 0.0006, cacheRead: 0, cacheWrite: 0, total: 0.0036 };
const usage = { input: 1_000, output: 40, cacheRead: 0, cacheWrite: 0, totalTokens: 1_040, cost };
const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
const from = { role: "assistant", provider: "fake", model: "m1" };
const start = (reported: unknown) => ({ type: "message_start", message: { ...from, content: [], usage: reported } });
const end = (message: object) => ({ type: "message_end", message: { ...from, stopReason: "stop", usage, ...message } });
const delta = (text: string, reported: unknown) => ({
  type: "message_update",
  usage: reported,
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: text },
});

test("the answer is every text part of the last message, and of no earlier one", () => {
  const { now } = fold([
    end({ content: [{ type: "text", text: "draft" }], stopReason: "toolUse" }),
    end({
      content: [
        { type: "text", text: "one" },
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "two" },
      ],
    }),
    { type: "agent_settled" },
  ]);
  assert.deepEqual([now.last?.text, now.settled], ["one\ntwo", true]);
});

test("work that goes on after pi had settled is not settled", () => {
  const { now } = fold([end({ content: [] }), { type: "agent_settled" }, { type: "turn_start" }]);
  assert.equal(now.settled, false);
});

test("a turn cut in mid-stream is charged for its context and what was streamed, at the prices seen before", () => {
  const { now } = fold([
    { type: "turn_start" },
    start(none),
    end({ content: [] }),
    { type: "message_end", message: { role: "toolResult", content: [{ type: "text", text: "x".repeat(400) }] } },
    { type: "turn_start" },
    start(none),
    delta("y".repeat(200), none),
    delta("y".repeat(200), none),
  ]);
  const [event] = cutTurn(now);
  assert.ok(event?.type === "usage");
  const { input, output, costUsd, estimated } = event.usage;
  assert.deepEqual([input, output, estimated], [1_040 + 100, 100, true]);
  assert.ok(Math.abs(costUsd - (1_140 * 3 + 100 * 15) / 1e6) < 1e-9);
});

test("a turn that was sent and not answered is charged for its context; one that ended is not charged again", () => {
  const cut = cutTurn(fold([{ type: "turn_start" }]).now);
  assert.ok(cut[0]?.type === "usage" && cut[0].usage.input === 250 && cut[0].usage.estimated);
  assert.deepEqual(cutTurn(fold([{ type: "turn_start" }, start(none), end({ content: [] })]).now), []);
});

test("a turn that was refused costs nothing, one that broke off what had come", () => {
  const refused = fold([{ type: "turn_start" }, start(none), end({ content: [], usage: none, stopReason: "error" })]);
  assert.deepEqual(
    refused.events.filter(({ type }) => type === "usage"),
    [],
  );
  const broken = fold([
    start(none),
    delta("z".repeat(80), none),
    end({ content: [], usage: none, stopReason: "error" }),
  ]);
  const charged = broken.events.find((event) => event.type === "usage");
  assert.ok(charged?.type === "usage" && charged.usage.output === 20 && charged.usage.estimated);
});

test("a turn that was cut before a word of it came costs what was sent, tools included, by the model that was asked for", () => {
  const order = { backend: "pi", model: "fake/m1", capabilities: ["read", "run"], characters: 1_000 } as const;
  const [waiting] = cutTurn(translate(newConversation(order), { type: "turn_start" }).next);
  assert.ok(waiting?.type === "usage" && waiting.model === "fake/m1");
  assert.ok(waiting.usage.input > 250 + 200, `${waiting.usage.input} tokens for the texts and two tools`);
  const cut = end({ content: [], usage: none, stopReason: "error", errorMessage: "terminated" });
  const { events } = fold([{ type: "turn_start" }, start(none), cut]);
  const charged = events.find((event) => event.type === "usage");
  assert.ok(charged?.type === "usage" && charged.usage.input === 250 && charged.usage.estimated);
});

test("summaries of a long conversation are charged too", () => {
  const { events } = fold([start(none), { type: "compaction_end", result: { summary: "s", usage } }]);
  assert.equal(events.at(-1)?.type, "usage");
});

test("U13: what a running tool prints is told by its last whole line, once each", () => {
  const call = { toolCallId: "c1", toolName: "bash", args: { command: "npm test" } };
  const update = (text: string) => ({
    type: "tool_execution_update",
    ...call,
    partialResult: { content: [{ type: "text", text }] },
  });
  const printed = [
    { type: "tool_execution_update", ...call, partialResult: { content: [] } },
    update("ok 1"),
    update("ok 1\nok"),
    update("ok 1\nok 2"),
    update("ok 1\nok 2\n\n"),
    update("10 %\r20 %\r30"),
    update(`${"x".repeat(3_000)}\n`),
  ];
  const { events } = fold([update("early\n"), { type: "tool_execution_start", ...call }, ...printed]);
  const told = events.flatMap((event) => (event.type === "output" ? [[event.command, event.line]] : []));
  assert.deepEqual(told, [
    ["npm test", "ok 1"],
    ["npm test", "ok 2"],
    ["npm test", "20 %"],
  ]);
});

test("records of any other shape are passed over", () => {
  const odd = [
    null,
    3,
    "x",
    [],
    {},
    { type: 5 },
    { type: "message_end" },
    { type: "message_start", message: "?" },
    { type: "later" },
  ];
  assert.deepEqual(fold(odd), { now: newConversation(sent), events: [] });
});

function fold(records: readonly unknown[]): { now: PiConversation; events: readonly AgentEvent[] } {
  let now = newConversation(sent);
  const events: AgentEvent[] = [];
  for (const record of records) {
    const step = translate(now, record);
    now = step.next;
    events.push(...step.events);
  }
  return { now, events };
}
