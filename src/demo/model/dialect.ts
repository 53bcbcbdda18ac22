// A dialect is how one provider API writes what every model does: read a conversation, stream an answer, refuse.

import type { Conversation } from "./conversation.ts";
import type { Reaction, Tokens, Turn } from "./play.ts";

export type DialectName = "anthropic" | "chat";

/** A streamed answer, in records of server-sent events. */
export interface Frames {
  readonly body: readonly string[];
  /** What tells the client that the answer is whole. */
  readonly end: readonly string[];
}

export interface ModelRefusal {
  readonly status: number;
  /** The provider's own word for it, such as `rate_limit_error`. */
  readonly type: string;
  readonly message: string;
}

export interface Dialect {
  readonly name: DialectName;
  /** How the path of a request ends. */
  readonly path: string;
  /** Throws when the body is not such a request. */
  read(body: unknown): Conversation;
  frames(reaction: Reaction, turn: Turn): Frames;
  refusal(refusal: ModelRefusal): unknown;
}

/**
 * What a turn costs unless the reaction says otherwise. It depends on the turn and the answer only, never on paths,
 * times or ids in the request, so that two runs of one scenario cost the same.
 */
export function tokensOf(reaction: Reaction, turn: Turn): Tokens {
  const said = (reaction.text ?? "").length + JSON.stringify(reaction.tools ?? []).length;
  return {
    input: 1200 + 400 * turn.turn,
    output: Math.ceil(said / 4),
    cacheRead: 0,
    cacheWrite: 0,
    ...reaction.usage,
  };
}

/** Cut so that an answer streams, and a very long one does not take hundreds of thousands of records. */
export function piecesOf(text: string): readonly string[] {
  const size = Math.max(120, Math.ceil(text.length / 400));
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacters(text, start + size);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** One further when a cut at `index` would part the two halves of a character. */
function wholeCharacters(text: string, index: number): number {
  const code = text.charCodeAt(index - 1);
  return code >= 0xd800 && code <= 0xdbff ? index + 1 : index;
}

/** The arguments of a tool call as they are sent, damaged on demand. */
export function argumentsOf(args: Readonly<Record<string, unknown>>, reaction: Reaction): string {
  const json = JSON.stringify(args);
  return reaction.fault?.kind === "damaged-arguments" ? `${json.slice(0, -1)}oops` : json;
}
