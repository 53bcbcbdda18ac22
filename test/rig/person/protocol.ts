// What a test and the remote-controlled person say to each other.

import type { Question } from "../../../src/core/flow/question.ts";
import type { Level } from "../../../src/ports/person.ts";

export type RemoteOptions =
  | { readonly person: "terminal" }
  | { readonly person: "headless"; readonly answers: Readonly<Record<string, unknown>> };

export type RemoteCall =
  | { readonly call: "ask"; readonly id: number; readonly question: Question }
  | { readonly call: "abort"; readonly id: number }
  | { readonly call: "notify"; readonly message: string; readonly level: Level }
  | { readonly call: "status"; readonly slot: string; readonly text: string | null }
  | { readonly call: "widget"; readonly slot: string; readonly lines: readonly string[] | null }
  | { readonly call: "burst"; readonly count: number }
  | { readonly call: "listen keys" | "stop keys" | "close" | "exit" | "throw" };

export type RemoteReply =
  | { readonly id: number; readonly answer: string | null }
  | { readonly done: RemoteCall["call"] | "ready" }
  | { readonly heard: "escape" | "interrupt" | "interrupt in dialog" };
