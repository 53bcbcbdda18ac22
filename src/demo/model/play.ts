// What a scripted model is asked and how it reacts. A play is a pure function of the request: it is given the whole
// conversation the client sent, so that retries and concurrent agents cannot confuse it.

/** The line every dispatched prompt ends with. */
export interface Header {
  readonly run: string;
  readonly role: string;
  readonly step: string;
  readonly attempt: number;
}

export interface ToolResult {
  /** The tool that was called; missing when the client sent a result for a call it did not send. */
  readonly name?: string;
  readonly text: string;
  /** As the client says. Chat completions have no such field: there it is read from the wording pi uses. */
  readonly failed: boolean;
}

export interface ModelToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One assistant turn of the past: what the model said and called, and what came of the calls. */
export interface Exchange {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly results: readonly ToolResult[];
}

export interface Turn {
  /** null when the prompt does not end with the line that names a dispatch. */
  readonly header: Header | null;
  /** Everything the user said before the first assistant turn. */
  readonly prompt: string;
  /** Assistant turns so far: 0 for the first request of a conversation. */
  readonly turn: number;
  /** What came of the last turn's tool calls. */
  readonly results: readonly ToolResult[];
  /** All turns so far, oldest first. */
  readonly history: readonly Exchange[];
  readonly system: string;
  readonly tools: readonly string[];
  readonly model: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What the model answers. Without tools the agent's work ends with this turn. */
export interface Reaction {
  readonly text?: string;
  readonly tools?: readonly ModelToolCall[];
  /** Waited before the first byte. */
  readonly latencyMs?: number;
  /** Waited for after that: the one who watches decides when it continues. */
  readonly held?: Promise<unknown>;
  /** What the provider reports; by default a number that depends on the turn and the answer only. */
  readonly usage?: Partial<Tokens>;
  readonly fault?: Fault;
}

export type ModelPlay = (turn: Turn) => Reaction;

/** What can go wrong between an agent and its model. */
export type Fault =
  /** 429 with a `retry-after` header. */
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  /** 529. */
  | { readonly kind: "overloaded" }
  /** 500. */
  | { readonly kind: "server-error" }
  /** 401. */
  | { readonly kind: "auth" }
  /** No money left: providers say so with any of these. 429 with `insufficient_quota` is not a rate limit. */
  | { readonly kind: "billing"; readonly status: 400 | 402 | 429 }
  /** The connection is reset after half of the answer. */
  | { readonly kind: "cut" }
  /** The answer ends cleanly, without the records that say so. */
  | { readonly kind: "unterminated" }
  /** 200, and a web page. */
  | { readonly kind: "html" }
  /** Nothing at all, or nothing after the first half of the answer, until the client goes away. */
  | { readonly kind: "hang"; readonly after: "request" | "half" }
  /** The model ran out of room: everything is sent, with the stop reason that says it was cut. */
  | { readonly kind: "length" }
  /** The JSON of every tool call's arguments has garbage before its last brace. */
  | { readonly kind: "damaged-arguments" }
  /** The answer is written in pieces of a few bytes, so that characters are cut between writes. */
  | { readonly kind: "split-characters" };
