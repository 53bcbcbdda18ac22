// What is kept about the runs of a repository, and who is at work on one. A working tree has at most one active run and one
// runner; history and queue are shared by all working trees of the repository.

import type { QueuedRun } from "../core/flow/flow.ts";
import type { Answerer } from "../core/flow/question.ts";
import type { PastRun } from "../core/money/experience.ts";
import type { Entry, ExaminedJournal, Journal, OpenedJournal } from "./journal.ts";

export interface Runs {
  /** A new id: ids sort by time. */
  newId(): string;
  /** The ids of all runs, oldest first. */
  list(): Promise<readonly string[]>;
  /** Whether there is anything to read of it: a run that was killed before its first entry has only a name. */
  hasBegun(runId: string): Promise<boolean>;
  /** Which pipeline it is of, without reading all of it; undefined when it does not say. */
  pipelineOf(runId: string): Promise<string | undefined>;
  /** The run that is active in this working tree. Throws `unreadable` when what should name it holds something else. */
  readActive(): Promise<string | undefined>;
  writeActive(runId: string): Promise<void>;
  clearActive(): Promise<void>;

  /** E7: one runner per working tree. Takes over the lease of a dead owner, or says who holds it. */
  lease(runId: string): Promise<Leasing>;
  /** Who holds the lease and is alive. */
  owner(): Promise<LeaseOwner | undefined>;

  /** Starts a journal; its first entry is to be the run's header. */
  create(runId: string): Promise<Journal>;
  /** Writes a journal again that is gone, with these entries as they are. Throws `exists` when there is one. */
  writeAgain(runId: string, entries: readonly Entry[]): Promise<void>;
  /** Opens a journal to append to it, and repairs it first if it is damaged. */
  open(runId: string): Promise<OpenedJournal>;
  /** What a journal says, for those who only look: nothing is repaired. */
  read(runId: string): Promise<readonly Entry[]>;
  /** The same, with what is wrong with it. */
  examine(runId: string): Promise<ExaminedJournal>;
  /** What there is, then what is new at each look, until the signal is aborted. There is a look at least every second. */
  follow(runId: string, signal: AbortSignal): AsyncIterable<Followed>;
  /** Opens what was told of the run to programs, to append to it. */
  events(runId: string): Promise<EventLog>;

  /** What other processes say to the runner of this run. */
  inbox(runId: string): Promise<Inbox>;
  /** Says something to the live runner and waits for its receipt. */
  send(runId: string, message: Unsent, waitMs: number): Promise<Sent>;

  dispatches(runId: string): Dispatches;
  /** Keeps a text with the run, and says where. */
  keep(runId: string, name: string, text: string): Promise<string>;
  /** Where all of it is kept, for people. */
  where(runId: string): string;
  /** How many bytes are kept of it. */
  size(runId: string): Promise<number>;
  /** Removes all that is kept of it, but its line in the history. */
  remove(runId: string): Promise<void>;

  readonly history: RunHistory;
  readonly queue: RunQueue;
}

export interface LeaseOwner {
  readonly pid: number;
  /** When the process was born, as its system tells it. */
  readonly birth: string;
  readonly host: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface Lease {
  readonly owner: LeaseOwner;
  /** Aborted soon after the lease is gone or somebody else's: nothing more may be written. The reason is a text for people. */
  readonly lost: AbortSignal;
  /** What was done to git's folder since the lease was taken, and what to do; then nothing in it can be relied on. */
  replaced(): Promise<string | undefined>;
  /** Gives the lease back. One that is another's by now is left alone. */
  release(): Promise<void>;
}

export type Leasing =
  | { readonly taken: true; readonly lease: Lease }
  | { readonly taken: false; readonly owner: LeaseOwner; readonly message: string };

/** What is new of a run that is followed. The events of an entry come with it or later, while a runner is at work. */
export interface Followed {
  readonly entries: readonly Entry[];
  readonly events: readonly string[];
}

/**
 * What a run has told programs, one JSON object per line. A convenience, never synced: the journal is the truth, and what is
 * missing at the end is made from it. One runner appends.
 */
export interface EventLog {
  /** The lines there were when it was opened. */
  readonly lines: readonly string[];
  /** Others see it within a second or two. Throws when earlier lines could not be written. */
  append(line: string): void;
  close(): void;
}

/** Runs that have ended, oldest first. */
export interface History {
  read(): Promise<{ readonly runs: readonly PastRun[] /** Lines that could not be used. */; readonly skipped: number }>;
}

export interface RunHistory extends History {
  add(run: PastRun): Promise<void>;
}

/** Runs that wait for their turn in this repository. */
export interface Queue {
  /** Puts them in line, once per mark: a second time with the same one changes nothing. */
  add(runs: readonly QueuedRun[], mark: string): Promise<void>;
}

export interface WaitingRun extends QueuedRun {
  /** Who put it in line: the run and its request. */
  readonly mark: string;
  /** The run it was about to become when somebody last took it. */
  readonly run?: string | undefined;
}

/** Starts a run. `claim` is to be called, with the names it will have, before anything is made in these names. */
export type StartWaiting<T> = (
  run: WaitingRun,
  claim: (names: { readonly run: string; readonly branch: string }) => Promise<void>,
) => Promise<T>;

export interface RunQueue extends Queue {
  /** Where a person can change it. */
  readonly where: string;
  list(): Promise<readonly WaitingRun[]>;
  /**
   * Has the first in line started, and takes it out of line once that is done; undefined when nobody waits. What was to
   * become of a run that has come to something is no longer in line.
   */
  take<T>(start: StartWaiting<T>): Promise<T | undefined>;
}

export type InboxMessage =
  | {
      readonly id: string;
      readonly kind: "answer";
      readonly question: string | null;
      readonly said: string;
      /** The person, unless it says otherwise. */
      readonly by?: Answerer | undefined;
      /** When it was said: it cannot be meant for a question that was not asked yet. */
      readonly at?: number | undefined;
    }
  | { readonly id: string; readonly kind: "stop" | "abort" };

/** A message before it is sent: it gets its id then. */
export type Unsent = InboxMessage extends infer M ? (M extends InboxMessage ? Omit<M, "id"> : never) : never;

export interface InboxReply {
  readonly ok: boolean;
  readonly text: string;
}

export type Sent =
  | { readonly how: "received"; readonly receipt: InboxReply }
  /** Nobody took it in time. It was withdrawn: nothing will come of it. */
  | { readonly how: "unheard"; readonly text: string }
  /** The runner took it, but did not say in time what came of it. */
  | { readonly how: "unconfirmed"; readonly text: string };

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
  /**
   * The folders that are there beside these. Each gets a name that no dispatch will have, under which it stays and is given
   * from now on: a journal that lost its end counts again from there.
   */
  besides(ids: ReadonlySet<string>): Promise<readonly string[]>;
}
