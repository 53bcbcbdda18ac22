import type { Usage } from "../core/flow/dispatch.ts";
import type { Failure } from "../core/flow/failure.ts";
import type { PlaceId, Request, ScopeKind } from "../core/flow/flow.ts";
import type { Answerer } from "../core/flow/question.ts";
import type { Anchor } from "../core/flow/repository.ts";
import type { Limits } from "../core/money/budget.ts";
import type { PipelineOutline } from "../core/run/pipeline.ts";
import type { AgentMark } from "./agents.ts";

/** Texts of documents by path: null where there is no such file. */
export type DocumentTexts = Readonly<Record<string, string | null>>;

/** The first entry of a journal: what the run is. */
export interface RunHeader {
  readonly runId: string;
  /** What views and hosts need to know of the pipeline. */
  readonly pipeline: PipelineOutline;
  /** The pipeline's input: JSON. */
  readonly input: unknown;
  readonly startedAt: number;
  /** Left out for the person. What a model began waits for the person's yes. */
  readonly startedBy?: Answerer;
}

export type ScopeResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure };

/** What is noted while a request runs. */
export type Note =
  | { readonly type: "spawned"; readonly process: AgentMark }
  | { readonly type: "started"; readonly model: string }
  | { readonly type: "usage"; readonly model: string; readonly usage: Usage }
  /** All processes of this dispatch were gone at this time, though it has no outcome. */
  | { readonly type: "gone"; readonly at: number }
  /** What an interrupted agent had left in the tree was taken back, and is kept under this ref. */
  | { readonly type: "undone"; readonly files: readonly string[]; readonly backupRef: string }
  /** What stood in documents that were put back to what the agent had been given. */
  | { readonly type: "replaced"; readonly documents: DocumentTexts };

export type Ending =
  | { readonly how: "finished"; readonly value: unknown }
  | { readonly how: "failed"; readonly failure: Failure }
  | { readonly how: "aborted"; readonly detail: string };

/** One line of the journal. `seq` counts from 1 without gaps; `at` is milliseconds since the epoch. */
export type Entry = { readonly seq: number; readonly at: number } & EntryBody;

export type EntryBody =
  | { readonly type: "run"; readonly header: RunHeader }
  /** A process opened the run: who, and with which versions. */
  | { readonly type: "session"; readonly pid: number; readonly versions: Readonly<Record<string, string>> }
  /** The budget this process holds the run to, before what the person raises it to; written when it is another one. */
  | { readonly type: "limits"; readonly limits: Limits }
  | { readonly type: "enter"; readonly scope: string; readonly kind: ScopeKind }
  | { readonly type: "leave"; readonly scope: string; readonly result: ScopeResult }
  /**
   * The scope starts over at this epoch, and what it said before is void. By the person, when code and journal disagreed:
   * the new one takes its place. By the flow: the old one stays part of the flow's past.
   */
  | { readonly type: "restart"; readonly scope: string; readonly epoch: number; readonly by: "person" | "flow" }
  /** `tries` counts how often this request was begun, 1 at first; `anchor` is the tree to go back to. */
  | {
      readonly type: "begin";
      readonly key: string;
      readonly request: Request;
      readonly tries: number;
      /** Where it is performed, and undone if need be. */
      readonly place: PlaceId;
      readonly anchor?: Anchor;
      /** The documents that a writer writes, as it was given them. */
      readonly documents?: DocumentTexts;
    }
  | { readonly type: "note"; readonly key: string; readonly note: Note }
  /** `by` is there when somebody else than the person gave the answer to a question. */
  | { readonly type: "settle"; readonly key: string; readonly outcome: unknown; readonly by?: Answerer }
  | { readonly type: "end"; readonly ending: Ending };

/** A request as the journal knows it. Without `outcome` it was begun and interrupted. */
export interface Recalled
  extends Pick<Entry & { readonly type: "begin" }, "seq" | "request" | "tries" | "place" | "anchor" | "documents"> {
  /** When it was first begun. */
  readonly at: number;
  readonly notes: readonly Note[];
  readonly settled: boolean;
  readonly outcome: unknown;
}

export interface AppendOptions {
  /** Whether it is on disk for good when the promise resolves. */
  readonly sync: boolean;
  /** Called when the entry is among the entries, in their order, and before the promise resolves: while the disk is at work there is time to show it. */
  readonly written?: (entry: Entry) => void;
}

/**
 * Remembers what has happened, so that it happens once; failures too, or a replay would take another path.
 *
 * What `append` resolves with is on its way to disk in order; with `sync` it is on disk for good. Texts over 8 KB are
 * kept beside the entries, content-addressed, and come back as they were. What is read back is what JSON made of it.
 * One journal has one writer.
 */
export interface Journal {
  /** Everything so far, oldest first; grows as entries are appended. */
  readonly entries: readonly Entry[];
  recall(key: string): Recalled | undefined;
  /** The result of a scope that has been left. */
  result(scope: string): ScopeResult | undefined;
  /** The scope that stands for this one: itself, or what the person had run instead. */
  current(scope: string): string;
  append(body: EntryBody, options: AppendOptions): Promise<Entry>;
  close(): Promise<void>;
}

/** A journal as one who only looks finds it. */
export interface ExaminedJournal {
  readonly entries: readonly Entry[];
  /** What is wrong behind the last entry, such as `record 7 is cut off`; while the run is running it may only be half written. */
  readonly damage?: string;
}

export interface OpenedJournal {
  readonly journal: Journal;
  /** What was found damaged and what was done about it, a sentence each; empty when all was well. */
  readonly repairs: readonly string[];
}
