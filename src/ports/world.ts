// The small ports: time, documents, configuration, roles, and messages from other processes.

import type { Difficulty } from "../core/flow/dispatch.ts";
import type { QueuedRun } from "../core/flow/flow.ts";
import type { Answerer } from "../core/flow/question.ts";
import type { PastRun } from "../core/money/experience.ts";
import type { Config } from "../core/run/config.ts";
import type { AgentOrder } from "./agents.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The run's documents and the texts of the tree, by path relative to the tree's root. */
export interface Documents {
  /** null when there is no such file. */
  read(path: string): Promise<string | null>;
  /** Atomic: the old text or the new one, never half of it. */
  write(path: string, text: string): Promise<void>;
}

export interface Settings {
  read(): Promise<Config>;
}

/** What a dispatch wishes beyond its role: a model by name, or by how hard the work is; a guard for test-first work. */
export interface Wish {
  readonly difficulty?: Difficulty;
  readonly model?: string;
  readonly testFirst?: boolean;
}

/** Turns a role's name into all an agent needs but its prompt. */
export interface Roles {
  resolve(role: string, wish: Wish): Promise<Omit<AgentOrder, "id" | "prompt" | "folder">>;
}

/** Runs that have ended, oldest first. */
export interface History {
  read(): Promise<{ readonly runs: readonly PastRun[] /** Lines that could not be used. */; readonly skipped: number }>;
}

/** Runs that wait for their turn in this repository. */
export interface Queue {
  /** Puts them in line, once per mark: a second time with the same one changes nothing. */
  add(runs: readonly QueuedRun[], mark: string): Promise<void>;
}

export type InboxMessage =
  | {
      readonly id: string;
      readonly kind: "answer";
      readonly question: string | null;
      readonly said: string;
      /** The person, unless it says otherwise. */
      readonly by?: Answerer | undefined;
    }
  | { readonly id: string; readonly kind: "stop" }
  | { readonly id: string; readonly kind: "abort" };

export interface InboxReply {
  readonly ok: boolean;
  readonly text: string;
}

/** What other processes say to the live runner. Each message is handed over once and then given a receipt. */
export interface Inbox {
  /** Calls back for each message, those that wait already first. Returns how to stop listening. */
  listen(hear: (message: InboxMessage) => void): () => void;
  receipt(id: string, receipt: InboxReply): Promise<void>;
}

/** Where a dispatch's prompt, stream and stderr are kept. */
export interface Dispatches {
  folder(id: string): string;
  /** When the watchdog found all processes of this dispatch gone; undefined when it left no word. */
  goneAt(id: string): Promise<number | undefined>;
}
