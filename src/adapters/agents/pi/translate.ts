// From pi's records to agent events: a pure fold. It knows what pi's JSON mode writes and nothing of processes.

import { tokensIn, tokensOf, type Usage } from "../../../core/flow/dispatch.ts";
import type { GuardNote } from "../../../core/test-first/guard.ts";
import { type AgentEvent, type ToolCall, unknownModel } from "../../../ports/agents.ts";
import type { SentOrder } from "../dispatch-folder.ts";
import { isCut } from "./failure.ts";
import { readNote } from "./guard/note.ts";
import { piToolCall, toolCharacters } from "./tools.ts";
import { asObject, asText, type JsonFields, textsOf } from "./unknown-json.ts";
import { estimateOf, type Prices, pricesOf, unknownPrices, usageOf } from "./usage.ts";

/** What is known after some records. */
export interface PiConversation {
  /** The model that ran last, as `provider/id`. */
  readonly model: string | null;
  /** The one that was asked for. */
  readonly asked: string | null;
  /** The turn that is being waited for or streamed. */
  readonly turn: { readonly reported: Usage; readonly streamed: number } | null;
  readonly tools: ReadonlyMap<string, RunningTool>;
  readonly last: PiAnswer | null;
  /** pi has said that it has nothing left to do. */
  readonly settled: boolean;
  /** Tokens the next turn sends, at least. */
  readonly context: number;
  readonly prices: Prices;
}

/** A tool that runs, what the guard has said about it, and the line of its output that was told last. */
interface RunningTool {
  readonly call: ToolCall;
  readonly guard?: GuardNote;
  readonly printed?: string;
}

/** A longer line is nothing to read on a screen. */
const longestLine = 2_000;

export interface PiAnswer {
  readonly text: string;
  readonly stopReason: string;
  readonly error: string;
}

export interface Translation {
  readonly next: PiConversation;
  readonly events: readonly AgentEvent[];
}

export function newConversation({ model: asked, capabilities, characters }: SentOrder): PiConversation {
  const context = tokensIn(characters + toolCharacters(capabilities));
  const nothing = { model: null, turn: null, tools: new Map(), last: null, settled: false };
  return { ...nothing, asked, context, prices: unknownPrices };
}

export function translate(now: PiConversation, record: unknown): Translation {
  const fields = asObject(record);
  switch (fields["type"]) {
    case "turn_start":
      return quietly({ ...now, turn: noTurn, settled: false });
    case "message_start":
      return messageStart(now, asObject(fields["message"]));
    case "message_update":
      return quietly(messageUpdate(now, fields));
    case "message_end":
      return messageEnd(now, asObject(fields["message"]));
    case "tool_execution_start":
      return toolStart(now, fields);
    case "tool_execution_update":
      return toolUpdate(now, fields);
    case "tool_execution_end":
      return toolEnd(now, fields);
    case "entry_appended":
      return quietly(guarded(now, fields["entry"]));
    case "auto_retry_start":
    case "summarization_retry_scheduled":
      return { next: now, events: [trouble(fields)] };
    case "compaction_end":
      return compactionEnd(now, asObject(asObject(fields["result"])["usage"]));
    case "agent_settled":
      return quietly({ ...now, settled: true });
    default:
      return quietly(now);
  }
}

/** The usage of a turn that will never be reported, when the stream is over. */
export function cutTurn(now: PiConversation): readonly AgentEvent[] {
  if (now.turn === null) return [];
  return [{ type: "usage", model: modelOf(now), usage: estimateOf({ ...now, ...now.turn }) }];
}

function modelOf({ model, asked }: PiConversation): string {
  return model ?? asked ?? unknownModel;
}

const noTurn = { reported: usageOf(undefined), streamed: 0 };

function quietly(next: PiConversation): Translation {
  return { next, events: [] };
}

function messageStart(now: PiConversation, message: JsonFields): Translation {
  if (message["role"] !== "assistant") return quietly(now);
  const model = `${asText(message["provider"])}/${asText(message["model"])}`;
  const turn = { reported: usageOf(message["usage"]), streamed: 0 };
  const events: readonly AgentEvent[] = model === now.model ? [] : [{ type: "started", model }];
  return { next: { ...now, model, turn, prices: pricesOf(message["usage"], now.prices) }, events };
}

function messageUpdate(now: PiConversation, fields: JsonFields): PiConversation {
  const delta = asText(asObject(fields["assistantMessageEvent"])["delta"]).length;
  const turn = { reported: usageOf(fields["usage"]), streamed: (now.turn?.streamed ?? 0) + delta };
  return { ...now, turn };
}

function messageEnd(now: PiConversation, message: JsonFields): Translation {
  const texts = textsOf(message["content"]).filter((text) => text !== "");
  if (message["role"] === "toolResult") {
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    return quietly({ ...now, context: now.context + tokensIn(characters) });
  }
  if (message["role"] !== "assistant") return quietly(now);
  const answer = {
    text: texts.join("\n"),
    stopReason: asText(message["stopReason"]),
    error: asText(message["errorMessage"]),
  };
  const prices = pricesOf(message["usage"], now.prices);
  const usage = turnUsage({ ...now, prices }, answer, usageOf(message["usage"]));
  const events: AgentEvent[] = texts.map((text) => ({ type: "text", text }));
  if (tokensOf(usage) > 0) events.unshift({ type: "usage", model: modelOf(now), usage });
  const context = tokensOf(usage) > 0 && !usage.estimated ? tokensOf(usage) : now.context;
  return { next: { ...now, turn: null, last: answer, context, prices }, events };
}

/** A turn that broke off was paid for, whatever was reported, unless the provider refused it. */
function turnUsage(now: PiConversation, { stopReason, error }: PiAnswer, reported: Usage): Usage {
  const streamed = now.turn?.streamed ?? 0;
  const isSent = streamed > 0 || tokensOf(reported) > 0 || isCut(error);
  const isBroken = stopReason === "aborted" || (stopReason === "error" && isSent);
  return isBroken ? estimateOf({ ...now, reported, streamed }) : reported;
}

function toolStart(now: PiConversation, fields: JsonFields): Translation {
  const call = piToolCall(asText(fields["toolName"]), fields["args"]);
  const tools = new Map(now.tools).set(asText(fields["toolCallId"]), { call });
  return { next: { ...now, tools }, events: [{ type: "tool", state: "start", ...call, failed: false }] };
}

function toolUpdate(now: PiConversation, fields: JsonFields): Translation {
  const id = asText(fields["toolCallId"]);
  const tool = now.tools.get(id);
  const line = lastLine(textsOf(asObject(fields["partialResult"])["content"]).join(""));
  if (tool === undefined || line === undefined || line === tool.printed) return quietly(now);
  const tools = new Map(now.tools).set(id, { ...tool, printed: line });
  return { next: { ...now, tools }, events: [{ type: "output", ...tool.call, line }] };
}

/** Only a line that is whole: half of a key would not be recognised as one. */
function lastLine(text: string): string | undefined {
  const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  const line = text
    .slice(0, Math.max(end, 0))
    .trimEnd()
    .split(/[\n\r]/)
    .at(-1)
    ?.trim();
  return line === "" || line === undefined || line.length > longestLine ? undefined : line;
}

function toolEnd(now: PiConversation, fields: JsonFields): Translation {
  const id = asText(fields["toolCallId"]);
  const { call, guard } = now.tools.get(id) ?? { call: piToolCall(asText(fields["toolName"]), {}) };
  const tools = new Map(now.tools);
  tools.delete(id);
  const failed = fields["isError"] === true;
  const ended = { type: "tool", state: "end", ...call, failed } as const;
  return { next: { ...now, tools }, events: [guard === undefined ? ended : { ...ended, guard }] };
}

function guarded(now: PiConversation, entry: unknown): PiConversation {
  const told = readNote(entry);
  const tool = told && now.tools.get(told.call);
  if (!tool) return now;
  return { ...now, tools: new Map(now.tools).set(told.call, { ...tool, guard: told.note }) };
}

function compactionEnd(now: PiConversation, reported: JsonFields): Translation {
  const usage = usageOf(reported);
  if (tokensOf(usage) === 0) return quietly(now);
  return { next: now, events: [{ type: "usage", model: modelOf(now), usage }] };
}

function trouble(fields: JsonFields): AgentEvent {
  const attempt = `${String(fields["attempt"])} of ${String(fields["maxAttempts"])}`;
  const detail = `pi tries again (${attempt}) after: ${asText(fields["errorMessage"]).slice(0, 500)}`;
  return { type: "trouble", detail };
}
