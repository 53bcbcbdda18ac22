import type { DispatchFailureKind, Usage } from "../core/flow/dispatch.ts";
import type { Capability } from "../core/run/capability.ts";
import type { GuardNote } from "../core/test-first/guard.ts";

/** All that one agent process is given. Prompts travel by stdin, never by argv. */
export interface AgentOrder {
  /** Names the dispatch in the run store, such as `0041-implementer`. */
  readonly id: string;
  readonly role: string;
  /** Who runs the agent, such as `pi`. */
  readonly backend: string;
  readonly prompt: string;
  /** The role profile: the whole system prompt. */
  readonly system: string;
  /** The project's own context, appended to the system prompt; may be empty. */
  readonly context: string;
  /** What the agent may do; the backend gives it the tools for that, and no others. */
  readonly capabilities: readonly Capability[];
  /** `provider/id`; null for the backend's own default. */
  readonly model: string | null;
  readonly thinking: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Without any sign for this long the agent is stopped as `stuck`. */
  readonly stuckMs: number;
  /** Without any sign for this long a `silent` event is given. */
  readonly silentMs: number;
  /** Variables to pass on beyond those a shell and the providers need. */
  readonly environment: readonly string[];
  /** Whether the agent is taught to work test first, and whether source is also held back before a test has failed. */
  readonly testFirst?: "taught" | "guarded";
  /** Folder for the prompt, the raw stream and stderr of this dispatch. */
  readonly folder: string;
}

/** A process that can be told from a later one with the same pid. */
export interface ProcessMark {
  readonly pid: number;
  /** The start time as the kernel gives it; empty where it cannot be had. */
  readonly birth: string;
  /** The value of the private variable every process of this dispatch inherits. */
  readonly tag: string;
}

/** An agent's process, and the backend that knows how to end and to recount it. */
export interface AgentMark extends ProcessMark {
  readonly backend: string;
}

/** What one model turn used. */
export interface TurnUsage {
  readonly model: string;
  readonly usage: Usage;
}

/** What a model costs, in US dollars per token. */
export interface ModelPrice {
  /** As `provider/id`. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
}

export type PricedOrder = Pick<AgentOrder, "backend" | "model" | "cwd">;

/** The model of a turn when nobody has said which one it was. */
export const unknownModel = "unknown";

/** One call of a tool, in words that all backends share. */
export interface ToolCall {
  /** What the backend calls the tool. */
  readonly name: string;
  /** `search` looks for a text in files, `find` for files; `other` is whatever the backend cannot say. */
  readonly does: "read" | "search" | "find" | "run" | "write" | "edit" | "other";
  readonly path?: string;
  readonly command?: string;
  readonly pattern?: string;
}

export type AgentEvent =
  /** The first event. The agent is given its prompt when this has been taken: before, it can have done and used nothing. */
  | { readonly type: "spawned"; readonly process: AgentMark }
  | { readonly type: "started"; readonly model: string }
  | ({
      readonly type: "tool";
      readonly state: "start" | "end";
      readonly failed: boolean;
      /** What the guard did about it, at its end. */
      readonly guard?: GuardNote;
    } & ToolCall)
  /** The last whole line that a running tool has printed: for screens alone, nothing records it. */
  | ({ readonly type: "output"; readonly line: string } & ToolCall)
  /** Usage of one model turn, as soon as it is known (or estimated, when the turn was cut). */
  | ({ readonly type: "usage" } & TurnUsage)
  | { readonly type: "text"; readonly text: string }
  /** Nothing was heard for `silentMs`; repeated at that pace. */
  | { readonly type: "silent"; readonly forMs: number }
  /** Something the backend reported that is no failure yet: a retry, a line that does not parse. */
  | { readonly type: "trouble"; readonly detail: string }
  | { readonly type: "finished"; readonly text: string; readonly model: string }
  | {
      readonly type: "failed";
      readonly kind: DispatchFailureKind;
      readonly detail: string;
      readonly output: string;
      readonly model: string | null;
      readonly retryAfterMs?: number;
    };

export interface EndedLeftover {
  readonly wasAlive: boolean;
  /** Processes that may come from the agent and were not ended, because they may be the person's: in words that say what to do. */
  readonly strays: readonly string[];
}

/** What is left of agents of an earlier life of this run (E8, M1). Needs no program: it may be gone by now. */
export interface Leftovers {
  /** Ends what is left of an agent, with what is in its folder, and resolves when nothing of it is alive. */
  end(process: AgentMark, folder: string): Promise<EndedLeftover>;
  /**
   * What an agent used, turn by turn, as far as it can be read from what is left in its folder. The last one is an estimate
   * when its turn was cut. Empty when nothing is left.
   */
  recount(folder: string): Promise<readonly TurnUsage[]>;
}

/**
 * Runs one agent per dispatch, in a fresh context, and never throws for what the agent or its model does: the last
 * event is `finished` or `failed`, and by then no process of the dispatch is left. Aborting the signal stops the
 * agent (TERM, KILL after 5 s, the whole tree) and ends the stream with `failed`, kind `aborted`.
 */
export interface Agents extends Leftovers {
  dispatch(order: AgentOrder, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Starts a process ahead for an order like this one (its prompt and folder are ignored). May do nothing. */
  prepare(order: AgentOrder): void;
  /** The model that such an order would be given, and its price as the backend lists it; undefined when it cannot say. */
  price?(order: PricedOrder): Promise<ModelPrice | undefined>;
  /** Closes spares and the watchdog. */
  close(): Promise<void>;
}
