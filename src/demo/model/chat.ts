// The OpenAI-compatible dialect: `POST <base>/v1/chat/completions`, streamed, with the usage in the last chunk.

import { z } from "zod";
import type { ChatMessage } from "./conversation.ts";
import { argumentsOf, type Dialect, piecesOf, tokensOf } from "./dialect.ts";
import type { Reaction, Turn } from "./play.ts";

export const chat: Dialect = {
  name: "chat",
  path: "/v1/chat/completions",
  read(body) {
    const request = RequestBody.parse(body);
    const isSystem = ({ role }: RequestMessage) => role === "system" || role === "developer";
    return {
      model: request.model,
      system: request.messages
        .filter(isSystem)
        .map((message) => textOf(message.content))
        .join("\n"),
      tools: request.tools.map((tool) => tool.function.name),
      messages: request.messages.filter((message) => !isSystem(message)).map(messageOf),
    };
  },
  frames(reaction, turn) {
    const words = piecesOf(reaction.text ?? "").map((content) => delta(turn, { content }));
    const tools = (reaction.tools ?? []).flatMap((tool, index) => toolFrames(reaction, turn, { ...tool, index }));
    return {
      body: [delta(turn, { role: "assistant", content: "" }), ...words, ...tools],
      end: endFrames(reaction, turn),
    };
  },
  refusal({ type, message }) {
    return { error: { message, type, code: type, param: null } };
  },
};

const Words = z.union([z.string(), z.null(), z.array(z.looseObject({ type: z.string() }))]);
const Call = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const RequestMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: Words.default(null),
  tool_calls: z.array(Call).default([]),
  tool_call_id: z.string().default(""),
});
type RequestMessage = z.infer<typeof RequestMessage>;
const RequestBody = z.looseObject({
  model: z.string(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  messages: z.array(RequestMessage),
});

function messageOf(message: RequestMessage): ChatMessage {
  const text = textOf(message.content);
  if (message.role === "tool") {
    const result = { id: message.tool_call_id, text, failed: soundsFailed(text) };
    return { role: "user", text: "", calls: [], results: [result] };
  }
  const calls = message.tool_calls.map((call) => ({
    id: call.id,
    name: call.function.name,
    args: parsed(call.function.arguments),
  }));
  return { role: message.role === "assistant" ? "assistant" : "user", text, calls, results: [] };
}

/** This dialect does not say whether a tool failed; pi ends a failed command's output with one of these. */
function soundsFailed(text: string): boolean {
  return (
    /Command (exited with code [1-9]\d*|timed out|aborted)/.test(text) ||
    /^(Error|ENOENT|Tool \S+ not found)/.test(text)
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const Part = z.looseObject({ type: z.literal("text"), text: z.string() });

function textOf(words: z.infer<typeof Words>): string {
  if (words === null) return "";
  if (typeof words === "string") return words;
  return words
    .map((part) => Part.safeParse(part))
    .flatMap((part) => (part.success ? [part.data.text] : []))
    .join("\n");
}

interface PlacedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly index: number;
}

function toolFrames(reaction: Reaction, turn: Turn, { name, args, index }: PlacedCall): readonly string[] {
  const call = { index, id: `call_${turn.turn}_${index}`, type: "function", function: { name, arguments: "" } };
  return [
    delta(turn, { tool_calls: [call] }),
    ...piecesOf(argumentsOf(args, reaction)).map((json) =>
      delta(turn, { tool_calls: [{ index, function: { arguments: json } }] }),
    ),
  ];
}

function endFrames(reaction: Reaction, turn: Turn): readonly string[] {
  const calls = (reaction.tools ?? []).length > 0;
  const reason = reaction.fault?.kind === "length" ? "length" : calls ? "tool_calls" : "stop";
  const tokens = tokensOf(reaction, turn);
  const usage = {
    prompt_tokens: tokens.input + tokens.cacheRead,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.cacheRead + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
  };
  return [
    chunk(turn, { choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    chunk(turn, { choices: [], usage }),
    "data: [DONE]\n\n",
  ];
}

function delta(turn: Turn, change: object): string {
  return chunk(turn, { choices: [{ index: 0, delta: change, finish_reason: null }] });
}

function chunk(turn: Turn, rest: object): string {
  const head = { id: `chatcmpl-${turn.turn}`, object: "chat.completion.chunk", created: 0, model: turn.model };
  return `data: ${JSON.stringify({ ...head, ...rest })}\n\n`;
}
