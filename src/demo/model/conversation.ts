// What both dialects have in common once a request is read: a system text, tools, a prompt and the turns since.

import type { Exchange, Header, ToolResult, Turn } from "./play.ts";

export interface ChatMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly results: readonly { readonly id: string; readonly text: string; readonly failed: boolean }[];
}

export interface Conversation {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly ChatMessage[];
}

export function turnOf(conversation: Conversation): Turn {
  const first = conversation.messages.findIndex((message) => message.role === "assistant");
  const opening = first === -1 ? conversation.messages : conversation.messages.slice(0, first);
  const prompt = opening.map((message) => message.text).join("\n");
  const history = first === -1 ? [] : exchangesOf(conversation.messages.slice(first));
  return {
    header: headerOf(prompt),
    prompt,
    turn: history.length,
    results: history.at(-1)?.results ?? [],
    history,
    system: conversation.system,
    tools: conversation.tools,
    model: conversation.model,
  };
}

export function headerOf(prompt: string): Header | null {
  const match = /^\[superteam\] run=(\S+) role=(\S+) step=(\S+) attempt=(\d+)\s*$/m.exec(
    prompt.trimEnd().split("\n").at(-1) ?? "",
  );
  if (!match) return null;
  const [, run = "", role = "", step = "", attempt = ""] = match;
  return { run, role, step, attempt: Number(attempt) };
}

/** Each assistant message opens an exchange; results belong to the exchange they follow. */
function exchangesOf(messages: readonly ChatMessage[]): readonly Exchange[] {
  const starts = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  return starts.map((start, index) => {
    const asked = messages[start];
    const answered = messages.slice(start + 1, starts[index + 1] ?? messages.length);
    const calls = asked?.calls ?? [];
    const results = answered
      .flatMap((message) => message.results)
      .map((result): ToolResult => {
        const call = calls.find((candidate) => candidate.id === result.id);
        return { ...(call ? { name: call.name } : {}), text: result.text, failed: result.failed };
      });
    return {
      text: asked?.text ?? "",
      calls: calls.map((call) => ({ name: call.name, args: recordOf(call.args) })),
      results,
    };
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
