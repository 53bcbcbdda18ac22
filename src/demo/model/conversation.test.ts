import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../test/rig/property.ts";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { headerOf, turnOf } from "./conversation.ts";
import { piecesOf } from "./dialect.ts";

test("both dialects tell the same conversation", () => {
  const spoken = anthropic.read({
    model: "m",
    system: [{ type: "text", text: "Be good." }],
    tools: [{ name: "bash" }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Go." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I run it." },
          { type: "tool_use", id: "t1", name: "bash", input: { command: "ls" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a.txt", is_error: false }] },
    ],
  });
  const chatted = chat.read({
    model: "m",
    tools: [{ type: "function", function: { name: "bash" } }],
    messages: [
      { role: "system", content: "Be good." },
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: "I run it.",
        tool_calls: [{ id: "t1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
      },
      { role: "tool", tool_call_id: "t1", content: "a.txt" },
    ],
  });
  assert.deepEqual(turnOf(spoken), turnOf(chatted));
  assert.equal(turnOf(spoken).turn, 1);
  assert.deepEqual(turnOf(spoken).results, [{ name: "bash", text: "a.txt", failed: false }]);
});

test("only the last line of a prompt names a dispatch", () => {
  const line = "[superteam] run=r-1 role=scout step=brainstorm/scout attempt=2";
  const header = { run: "r-1", role: "scout", step: "brainstorm/scout", attempt: 2 };
  assert.deepEqual(headerOf(`Do it.\n\n${line}\n`), header);
  assert.equal(headerOf(`${line}\nDo it.`), null);
});

test("a text is streamed in pieces that part no character and add up to it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 2000 }), (text) => {
      const pieces = piecesOf(text);
      assert.equal(pieces.join(""), text);
      assert.ok(pieces.every((piece) => piece.isWellFormed()));
    }),
  );
});
