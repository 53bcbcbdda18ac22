import type { QueuedRun } from "../core/flow/flow.ts";
import type { Answerer } from "../core/flow/question.ts";
import type { PastRun } from "../core/money/experience.ts";

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
