// The Anthropic Messages dialect: `POST <base>/v1/messages`, streamed.

import { z } from "zod";
import type { ChatMessage } from "./conversation.ts";
import { argumentsOf, type Dialect, piecesOf, tokensOf } from "./dialect.ts";
import type { Reaction, Turn } from "./play.ts";

export const anthropic: Dialect = {
  name: "anthropic",
  path: "/v1/messages",
  read(body) {
    const request = RequestBody.parse(body);
    return {
      model: request.model,
      system: textOf(request.system),
      tools: request.tools.map((tool) => tool.name),
      messages: request.messages.map(messageOf),
    };
  },
  frames(reaction, turn) {
    const blocks = [...textBlock(reaction), ...toolBlocks(reaction, turn)];
    return {
      body: [startFrame(reaction, turn), ...blocks.flatMap((block, index) => block(index))],
      end: endFrames(reaction, turn),
    };
  },
  refusal({ type, message }) {
    return { type: "error", error: { type, message } };
  },
};

const Text = z.looseObject({ type: z.literal("text"), text: z.string() });
const ToolUse = z.looseObject({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() });
const Words = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);
const ToolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: Words.default(""),
  is_error: z.boolean().default(false),
});
const RequestBody = z.looseObject({
  model: z.string(),
  system: Words.default(""),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content: Words })),
});

function messageOf({ role, content }: z.infer<typeof RequestBody>["messages"][number]): ChatMessage {
  const blocks = typeof content === "string" ? [] : content;
  return {
    role,
    text: textOf(content),
    calls: blocks.flatMap((block) => {
      const call = ToolUse.safeParse(block);
      return call.success ? [{ id: call.data.id, name: call.data.name, args: call.data.input }] : [];
    }),
    results: blocks.flatMap((block) => {
      const result = ToolResult.safeParse(block);
      if (!result.success) return [];
      return [{ id: result.data.tool_use_id, text: textOf(result.data.content), failed: result.data.is_error }];
    }),
  };
}

function textOf(words: z.infer<typeof Words>): string {
  if (typeof words === "string") return words;
  return words
    .map((block) => Text.safeParse(block))
    .flatMap((block) => (block.success ? [block.data.text] : []))
    .join("\n");
}

/** A content block as its frames, once its place in the message is known. */
type Block = (index: number) => readonly string[];

function textBlock(reaction: Reaction): readonly Block[] {
  if (!reaction.text) return [];
  const pieces = piecesOf(reaction.text);
  return [
    (index) => [
      frame("content_block_start", { index, content_block: { type: "text", text: "" } }),
      ...pieces.map((text) => frame("content_block_delta", { index, delta: { type: "text_delta", text } })),
      frame("content_block_stop", { index }),
    ],
  ];
}

function toolBlocks(reaction: Reaction, turn: Turn): readonly Block[] {
  return (reaction.tools ?? []).map((tool, order): Block => {
    const use = { type: "tool_use", id: `toolu_${turn.turn}_${order}`, name: tool.name, input: {} };
    const pieces = piecesOf(argumentsOf(tool.args, reaction));
    return (index) => [
      frame("content_block_start", { index, content_block: use }),
      ...pieces.map((json) =>
        frame("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: json } }),
      ),
      frame("content_block_stop", { index }),
    ];
  });
}

function startFrame(reaction: Reaction, turn: Turn): string {
  const tokens = tokensOf(reaction, turn);
  const usage = {
    input_tokens: tokens.input,
    output_tokens: 1,
    cache_read_input_tokens: tokens.cacheRead,
    cache_creation_input_tokens: tokens.cacheWrite,
  };
  const message = { id: `msg_${turn.turn}`, type: "message", role: "assistant", model: turn.model, content: [] };
  return frame("message_start", { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
}

function endFrames(reaction: Reaction, turn: Turn): readonly string[] {
  const calls = (reaction.tools ?? []).length > 0;
  const reason = reaction.fault?.kind === "length" ? "max_tokens" : calls ? "tool_use" : "end_turn";
  const delta = { stop_reason: reason, stop_sequence: null };
  return [
    frame("message_delta", { delta, usage: { output_tokens: tokensOf(reaction, turn).output } }),
    frame("message_stop", {}),
  ];
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
