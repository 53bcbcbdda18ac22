// A scripted model on loopback that real agents talk to as a provider. It keeps no state between requests: its answer
// follows from the conversation that the client sends, through the play.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { turnOf } from "./conversation.ts";
import type { Dialect, DialectName, Frames, ModelRefusal } from "./dialect.ts";
import { refusalOf } from "./faults.ts";
import type { Fault, Header, ModelPlay, Reaction, Turn } from "./play.ts";

/** One request as it was asked, for a test to look at. */
export interface LoggedRequest {
  readonly header: Header | null;
  /** The prompt's last line. */
  readonly line: string;
  readonly turn: number;
  readonly dialect: DialectName;
  readonly path: string;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly string[];
  /** The length of all that was sent. */
  readonly characters: number;
  readonly fault: Fault["kind"] | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`; any path may stand between it and `/v1`. */
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/** `hear` gets each request as it was sent. */
export async function serveModel(
  play: ModelPlay,
  hear: (body: string, turn: Turn) => void = () => undefined,
): Promise<ModelServer> {
  const requests: LoggedRequest[] = [];
  const server = createServer((request, response) => {
    answer({ play, requests, hear, request, response }).catch((problem: unknown) => response.destroy(asError(problem)));
  });
  // An agent may think for minutes between two requests; a reused connection must not be closed under it.
  server.keepAliveTimeout = 0;
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => close(server),
  };
}

interface Call {
  readonly play: ModelPlay;
  readonly requests: LoggedRequest[];
  readonly hear: (body: string, turn: Turn) => void;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer({ play, requests, hear, request, response }: Call): Promise<void> {
  const path = (request.url ?? "").replace(/\?.*$/, "");
  const dialect = [anthropic, chat].find((candidate) => path.endsWith(candidate.path));
  if (!dialect || request.method !== "POST") {
    refuse(response, anthropic, { status: 404, type: "not_found_error", message: `There is nothing at ${path}.` });
    return;
  }
  const body = await bodyOf(request);
  const asked = attempt(() => turnOf(dialect.read(JSON.parse(body))));
  if ("problem" in asked) {
    refuse(response, dialect, unplayable(`The request cannot be read: ${asked.problem}`));
    return;
  }
  const turn = asked.value;
  hear(body, turn);
  const reacted = attempt(() => play(turn));
  const fault = "value" in reacted ? (reacted.value.fault?.kind ?? null) : null;
  requests.push({ ...logged(turn), dialect: dialect.name, path, characters: body.length, fault, at: Date.now() });
  if ("problem" in reacted) {
    refuse(response, dialect, unplayable(`The play has no answer: ${reacted.problem}`));
    return;
  }
  await respond(response, dialect, { turn, reaction: reacted.value });
}

function logged({ header, turn, model, system, prompt, tools }: Turn) {
  return { header, line: prompt.trimEnd().split("\n").at(-1) ?? "", turn, model, system, prompt, tools };
}

async function respond(
  response: ServerResponse,
  dialect: Dialect,
  { turn, reaction }: { readonly turn: Turn; readonly reaction: Reaction },
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (!(await stillThere(reaction, gone.signal))) return;
  const refusal = reaction.fault ? refusalOf(reaction.fault, dialect.name) : null;
  if (refusal) {
    const seconds = reaction.fault?.kind === "rate-limited" ? reaction.fault.retryAfterSeconds : null;
    refuse(response, dialect, refusal, seconds === null ? {} : { "retry-after": String(seconds) });
    return;
  }
  send(response, dialect.frames(reaction, turn), reaction.fault);
}

/** Writes an answer, whole or spoiled as the fault says. */
function send(response: ServerResponse, frames: Frames, fault: Fault | undefined): void {
  if (fault?.kind === "hang" && fault.after === "request") return;
  if (fault?.kind === "html") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>\n");
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const half = frames.body.slice(0, Math.ceil(frames.body.length / 2)).join("");
  switch (fault?.kind) {
    case "hang":
      response.write(half);
      return;
    case "cut":
      response.write(half, () => response.destroy());
      return;
    case "unterminated":
      response.end(frames.body.join(""));
      return;
    case "split-characters":
      for (const piece of smallPieces([...frames.body, ...frames.end].join(""))) response.write(piece);
      response.end();
      return;
    default:
      for (const frame of frames.body) response.write(frame);
      response.end(frames.end.join(""));
  }
}

/** Each is a chunk of its own on the wire. Seven bytes is no multiple of a character's length. */
function smallPieces(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const count = Math.ceil(bytes.length / 7);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * 7, (index + 1) * 7));
}

function refuse(
  response: ServerResponse,
  dialect: Dialect,
  refusal: ModelRefusal,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(refusal.status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(dialect.refusal(refusal)));
}

/** 400 is what agents do not try again: a gap in a scenario shows at once. */
function unplayable(message: string): ModelRefusal {
  return { status: 400, type: "invalid_request_error", message };
}

async function stillThere({ latencyMs = 0, held }: Reaction, signal: AbortSignal): Promise<boolean> {
  if (latencyMs > 0) await wait(latencyMs, undefined, { signal }).catch(() => undefined);
  await held;
  return !signal.aborted;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function attempt<T>(act: () => T): { readonly value: T } | { readonly problem: string } {
  try {
    return { value: act() };
  } catch (problem) {
    return { problem: asError(problem).message };
  }
}

function asError(problem: unknown): Error {
  return problem instanceof Error ? problem : new Error(String(problem));
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("The scripted model has no port."));
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
