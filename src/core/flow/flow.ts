// A flow describes work; only the engine performs it. A flow is a plain generator: it cannot await, and
// imports nothing of the world. It yields a request and is given the outcome. That is what makes a run
// replayable, testable without mocks, and the same on every machine.
//
// Requests and outcomes are plain JSON. The engine journals both, and always hands a flow the outcome as
// read back from JSON, the first time as on replay.

import type { z } from "zod";
import type { Experience } from "../money/experience.ts";
import type { Config, Mode } from "../run/config.ts";
import type { CommandFiles } from "../validation/scripts/script-files.ts";
import type { CheckOutcome } from "./check.ts";
import type { Difficulty, DispatchOutcome } from "./dispatch.ts";
import type { Fact } from "./fact.ts";
import { Failed, type Failure } from "./failure.ts";
import { optionsOf, type Question } from "./question.ts";
import type {
  Anchor,
  Changes,
  CommitOutcome,
  CurrentHead,
  Head,
  RestoreOutcome,
  UncommittedWork,
  UndoOutcome,
} from "./repository.ts";

/** One agent process: trying again is another request. `access: "read"` is proven by comparing tree snapshots. */
export interface DispatchRequest {
  readonly do: "dispatch";
  readonly name: string;
  readonly role: string;
  /** The facts of this dispatch. What is fixed for the role is part of its system text. */
  readonly prompt: string;
  /** Which of the pipeline's instructions it works by; unset: those of its role. */
  readonly instructions?: string;
  readonly access: "read" | "write";
  /** For a writer: files of the work that it continues. What else is not committed is the person's. */
  readonly ours?: readonly string[];
  /** For a writer: documents of the run that it writes. No tree has them, so their texts are kept in the journal. */
  readonly documents?: readonly string[];
  /** How hard the work is: the configuration may have a model for it. */
  readonly difficulty?: Difficulty;
  /** A fallback instead of the role's own model. */
  readonly model?: string;
  /** The agent begins something that is to be built test first: no source before a test has failed. */
  readonly testFirst?: boolean;
}

export type AskRequest = { readonly do: "ask"; readonly question: Question };
/** `tests`: the command runs tests, and its outcome is to say which of them pass. `only`: those that are of interest, if not all are. */
export interface CheckRequest {
  readonly do: "check";
  readonly name: string;
  readonly command: string;
  readonly tests?: true;
  readonly only?: readonly string[];
}

/** Everything since `since` becomes exactly one commit; with `documents`, just those paths are committed instead. */
export interface CommitRequest {
  readonly do: "commit";
  readonly name: string;
  readonly message: string;
  readonly since: Anchor;
  /** The tree that was judged: another one is not committed. */
  readonly tree?: string;
  /** Files of the person's: changes in them stay in the tree, uncommitted. */
  readonly leaveOut?: readonly string[];
  readonly task?: string;
  readonly documents?: readonly string[];
}

/** Waits, across restarts: a resumed run waits for the rest of the time. */
export interface WaitRequest {
  readonly do: "wait";
  readonly name: string;
  readonly ms: number;
  /** When it is over, if the time began to pass before anybody waited. */
  readonly until?: number;
  /** The run is suspended instead of sleeping. */
  readonly away?: boolean;
}

/** A run that waits for its turn. */
export interface QueuedRun {
  readonly goal: string;
  readonly mode: Mode;
  readonly branch: string;
  /** Where its branch begins, whatever happened since. */
  readonly base: Head;
  /** Options of the run that queued it apply to it too. */
  readonly dryRun: boolean;
  readonly skipBrainstorm: boolean;
}

/** Starts a scope over that was run in this flow: the next one of that name is its next epoch, and has nothing to do with it. */
export type RestartRequest = { readonly do: "restart"; readonly name: string };

/** A race, as the journal has it. Its outcome is the index of the branch that was first. */
export type AnyRequest = { readonly do: "any"; readonly name: string; readonly flows: readonly string[] };

/** One thing a flow may ask of the world. Data only: it is journaled, replayed and shown. */
export type Request =
  | DispatchRequest
  | AskRequest
  | CheckRequest
  | CommitRequest
  | { readonly do: "head" }
  | { readonly do: "snapshot"; readonly name: string }
  /** The state `at`, as it would be without this work: its files as before it, or as somebody has committed them since. */
  | { readonly do: "anchor-without"; readonly name: string; readonly at: Anchor; readonly work: UncommittedWork }
  /** `without`: files that are not to be shown. */
  | { readonly do: "changes"; readonly name: string; readonly since: Anchor; readonly without?: readonly string[] }
  /** What commands run from, as files of the repository define them. */
  | { readonly do: "command-files"; readonly name: string; readonly commands: readonly string[] }
  /** Paths that differ between two trees. */
  | { readonly do: "difference"; readonly name: string; readonly from: string; readonly to: string }
  | { readonly do: "restore"; readonly name: string; readonly to: Anchor }
  /** Takes work back: its files, and no others. */
  | { readonly do: "undo-work"; readonly name: string; readonly work: UncommittedWork }
  /** A place of its own for a part of the work, with the anchor's tree. */
  | { readonly do: "open-place"; readonly name: string; readonly from: Anchor }
  | { readonly do: "close-place"; readonly name: string; readonly place: PlaceId }
  /** `claimed`: an agent named the path, so what cannot be read there is no file, and no trouble. */
  | { readonly do: "read"; readonly path: string; readonly claimed?: true }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  /** Writes a document that is a fold over the run (its cost and times are the engine's to know) and stops updating it. */
  | { readonly do: "publish"; readonly document: "progress" | "summary" }
  | WaitRequest
  | RestartRequest
  | AnyRequest
  /** What dispatches have cost so far, in this run and in earlier ones. */
  | { readonly do: "experience" }
  /** Puts runs in line behind this one, each on a branch of its own. */
  | { readonly do: "queue"; readonly runs: readonly QueuedRun[] }
  | { readonly do: "config" }
  | { readonly do: "record"; readonly fact: Fact };

/** Names a place: a folder with its repository, its checks and its texts. JSON, so that any process can find it again. */
export type PlaceId = string;

/** Why a place could not be made: the person can remove that. */
export interface NoPlace {
  readonly why: string;
}

/** The working tree the run was started in. */
export const startPlace: PlaceId = "tree";

/** A child that any machine could run: a flow by its registered name, with JSON input, in a scope of its own. */
export interface ChildFlow {
  readonly flow: string;
  readonly name: string;
  readonly input: unknown;
  /** Where its requests are performed; without one, where its parent's are. */
  readonly place?: PlaceId;
}

/** How flows combine. The engine drives the inner flows; only their requests and results reach the journal. */
export type Step =
  | Exclude<Request, AnyRequest>
  | AnyStep
  | ({ readonly do: "child" } & ChildFlow)
  | { readonly do: "all"; readonly children: readonly ChildFlow[] }
  | {
      readonly do: "scope";
      readonly name: string;
      readonly kind: ScopeKind;
      readonly flow: Flow<unknown>;
      readonly returns: z.ZodType;
    };

/** The first branch that ends well decides. Branches only read, or write in places of their own. */
export type AnyStep = { readonly do: "any"; readonly name: string; readonly children: readonly ChildFlow[] };

/** What a scope is to a person: a phase and a task are shown as such, a step only gives keys a path. */
export type ScopeKind = "phase" | "task" | "step";

export type Flow<T> = Generator<Step, T, unknown>;

/** A flow that can be started by name. Its result is validated against `returns` whenever it is read from a journal. */
export interface FlowDefinition {
  readonly kind: ScopeKind;
  readonly input: z.ZodType;
  readonly returns: z.ZodType;
  readonly run: (input: never) => Flow<unknown>;
}

export type Flows = Readonly<Record<string, FlowDefinition>>;

/** Declares a named flow; `run` is typed by the input's schema. */
export function defineFlow<I extends z.ZodType, O extends z.ZodType>(definition: {
  readonly kind: ScopeKind;
  readonly input: I;
  readonly returns: O;
  readonly run: (input: z.output<I>) => Flow<z.output<O>>;
}): FlowDefinition {
  return definition;
}

export const dispatch = (request: Omit<DispatchRequest, "do">): Flow<DispatchOutcome> =>
  perform({ do: "dispatch", ...request });
export const check = (name: string, command: string): Flow<CheckOutcome> => perform({ do: "check", name, command });
export const runTests = (name: string, command: string, only: readonly string[] = []): Flow<CheckOutcome> =>
  perform({ do: "check", name, command, tests: true, ...(only.length === 0 ? {} : { only }) });
export const commandFiles = (name: string, commands: readonly string[]): Flow<readonly CommandFiles[]> =>
  perform({ do: "command-files", name, commands });
export const commit = (request: Omit<CommitRequest, "do">): Flow<CommitOutcome> =>
  perform({ do: "commit", ...request });
export const head = (): Flow<CurrentHead> => perform({ do: "head" });
export const snapshot = (name: string): Flow<Anchor> => perform({ do: "snapshot", name });
export const anchorWithout = (name: string, at: Anchor, work: UncommittedWork): Flow<Anchor> =>
  perform({ do: "anchor-without", name, at, work });
export const changes = (name: string, since: Anchor, without: readonly string[] = []): Flow<Changes> =>
  perform({ do: "changes", name, since, ...(without.length === 0 ? {} : { without }) });
export const difference = (name: string, from: string, to: string): Flow<readonly string[]> =>
  perform({ do: "difference", name, from, to });
export const restore = (name: string, to: Anchor): Flow<RestoreOutcome> => perform({ do: "restore", name, to });
export const undoWork = (name: string, work: UncommittedWork): Flow<UndoOutcome> =>
  perform({ do: "undo-work", name, work });
export const openPlace = (name: string, from: Anchor): Flow<PlaceId | NoPlace> =>
  perform({ do: "open-place", name, from });
export const closePlace = (name: string, place: PlaceId): Flow<void> => perform({ do: "close-place", name, place });
/** A document's text, or null when there is no such file. */
export const read = (path: string): Flow<string | null> => perform({ do: "read", path });
/** A file that an agent says is there; null as well for what is none: a folder, a link out of the tree, no path at all. */
export const readClaimed = (path: string): Flow<string | null> => perform({ do: "read", path, claimed: true });
export const write = (path: string, text: string): Flow<void> => perform({ do: "write", path, text });
export const publish = (document: "progress" | "summary"): Flow<void> => perform({ do: "publish", document });
export const wait = (request: Omit<WaitRequest, "do">): Flow<void> => perform({ do: "wait", ...request });
export const experience = (): Flow<Experience> => perform({ do: "experience" });
export const queue = (runs: readonly QueuedRun[]): Flow<void> => perform({ do: "queue", runs });
export const config = (): Flow<Config> => perform({ do: "config" });
export const record = (fact: Fact): Flow<void> => perform({ do: "record", fact });

/** The answer: an option's key, `yes` or `no`, or the text that was typed. An answer that is no longer offered is asked for again. */
export function* ask(question: Question): Flow<string> {
  for (;;) {
    const answer = yield* perform<string>({ do: "ask", question });
    const options = optionsOf(question);
    if (options.length === 0 || options.some(({ key }) => key === answer)) return answer;
  }
}

/** Runs a registered flow in a scope of its own and gives its result, or throws its failure. */
export const child = <T>(step: ChildFlow): Flow<T> => perform({ do: "child", ...step });
/** Runs registered flows side by side. All settle before the first failure, in the order given, is thrown. */
export const all = <T>(children: readonly ChildFlow[]): Flow<readonly T[]> => perform({ do: "all", children });

/** Runs registered flows side by side and gives the result of the first that ends well; the others are stopped. */
export const any = <T>(name: string, children: readonly ChildFlow[]): Flow<T> => perform({ do: "any", name, children });
/** The scope of this name runs again, at its next epoch, when this flow reaches it again. */
export const restart = (name: string): Flow<void> => perform({ do: "restart", name });

/** Gives keys a path. A scope that is finished is not replayed inside: its result is recorded. */
export function scope<S extends z.ZodType>(
  options: { readonly name: string; readonly kind: ScopeKind; readonly returns: S },
  flow: Flow<z.output<S>>,
): Flow<z.output<S>> {
  return perform({ do: "scope", ...options, flow });
}

/** Ends the innermost scope with a failure, which its parent may catch. */
export function fail(failure: Failure): never {
  throw new Failed(failure);
}

/** The one cast: by the time an outcome comes back, the engine has matched it to the request. */
function* perform<T>(step: Step): Flow<T> {
  return (yield step) as T;
}
