// Drives a flow with values: every request is answered from a script, over the model of a repository whose files are a map of
// texts. Outcomes and inputs pass through JSON, as they do in the engine.

import assert from "node:assert/strict";
import { unknownIds } from "../../src/adapters/person/headless/answers.ts";
import type { CheckOutcome } from "../../src/core/flow/check.ts";
import { type DispatchOutcome, noUsage } from "../../src/core/flow/dispatch.ts";
import type { Fact } from "../../src/core/flow/fact.ts";
import { Failed, type Failure } from "../../src/core/flow/failure.ts";
import type {
  CheckRequest,
  ChildFlow,
  CommitRequest,
  DispatchRequest,
  Flow,
  Flows,
  Request,
  Step,
} from "../../src/core/flow/flow.ts";
import { type Question, readAnswer } from "../../src/core/flow/question.ts";
import type { Anchor, CommitOutcome } from "../../src/core/flow/repository.ts";
import type { Experience } from "../../src/core/money/experience.ts";
import { Config } from "../../src/core/run/config.ts";
import type { CommandFiles } from "../../src/core/validation/scripts/script-files.ts";
import { questionIds } from "../../src/pipelines/pipelines.ts";
import { type Files, PlayedRepo, replace } from "./flow-repo.ts";

export type { Files } from "./flow-repo.ts";

/** What an agent does and says: a text, or a failure or other detail of the outcome. Writers change `files`. */
export type Agent = (turn: {
  readonly prompt: string;
  readonly files: Files;
  /** Counts the dispatches of this name in the whole run, from 1. */
  readonly nth: number;
  /** The fallback it was asked to run with, if any. */
  readonly model: string | undefined;
}) => string | FailedAgent;

export interface FailedAgent {
  readonly failed: Extract<DispatchOutcome, { status: "failed" }>["kind"];
  readonly detail?: string;
  readonly output?: string;
  readonly retryAfterMs?: number;
  readonly retryAt?: number;
}

export interface Script {
  /** What is known of earlier dispatches; nothing unless a test says so. */
  readonly experience?: Experience;
  /** By the dispatch's name. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** By question id: a text serves every time, a list once each. What is not answered, or not offered, stops the run there. */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Paths that no tree contains. */
  readonly documents?: readonly string[];
  readonly config?: unknown;
  readonly check?: (
    files: Files,
    request: CheckRequest,
  ) => Pick<
    CheckOutcome,
    "passed" | "output" | "changed" | "movedTo" | "backupRef" | "settings" | "settingsKept" | "tests"
  > & {
    readonly tree?: null;
    /** Null for a command that was killed; unset: 0 or 1. */
    readonly exitCode?: number | null;
    readonly timedOut?: boolean;
  };
  /** What each command runs from. */
  readonly scripts?: (files: Files) => Pick<CommandFiles, "names" | "programs">;
  readonly commit?: (nth: number, files: Files, request: CommitRequest) => "refused" | "moved" | "nothing" | undefined;
  /** Why a place cannot be made; undefined when it can. */
  readonly noPlace?: (name: string) => string | undefined;
  /** Files of the person's that git does not track; the first writer changes them. */
  readonly theirs?: readonly string[];
  readonly leftAlone?: readonly string[];
  /** What writers leave and no commit can hold. */
  readonly unheld?: readonly string[];
  /** Somebody else at work: called before each request. */
  readonly meanwhile?: (request: Request, files: Files, commitAll: (subject: string) => void) => void;
  readonly flows?: Flows;
  /** Children that run side by side settle in the order opposite to the one given. */
  readonly lastFirst?: boolean;
}

export interface Played<T> {
  readonly end:
    | { readonly how: "done"; readonly value: T }
    | { readonly how: "failed"; readonly failure: Failure }
    | { readonly how: "waiting"; readonly question: Question };
  readonly requests: readonly Request[];
  /** What was entered, in order, as `kind name`. */
  readonly scopes: readonly string[];
  readonly files: Files;
}

export function play<T>(flow: Flow<T>, script: Script): Played<T> {
  const stage = new Stage(script);
  const seen = { requests: stage.requests, scopes: stage.scopes, files: stage.files };
  try {
    // The flow's own result type: what came back went through JSON unchanged in shape.
    return { ...seen, end: { how: "done", value: stage.drive(flow) as T } };
  } catch (error) {
    if (error instanceof Failed) return { ...seen, end: { how: "failed", failure: error.failure } };
    if (error instanceof Waiting) return { ...seen, end: { how: "waiting", question: error.question } };
    throw error;
  }
}

export function resultOf<T>({ end }: Played<T>): T {
  if (end.how === "done") return end.value;
  throw new Error(`the flow is not done: ${JSON.stringify(end)}`);
}

export function facts(played: Pick<Played<unknown>, "requests">): readonly Fact[] {
  return played.requests.flatMap((request) => (request.do === "record" ? [request.fact] : []));
}

export function dispatches(played: Pick<Played<unknown>, "requests">): readonly DispatchRequest[] {
  return played.requests.filter((request) => request.do === "dispatch");
}

export function questions(played: Pick<Played<unknown>, "requests">): readonly Question[] {
  return played.requests.flatMap((request) => (request.do === "ask" ? [request.question] : []));
}

class Waiting extends Error {
  readonly question: Question;
  constructor(question: Question) {
    super(question.id);
    this.question = question;
  }
}

class Stage {
  readonly requests: Request[] = [];
  readonly scopes: string[] = [];
  readonly files: Files;
  readonly #script: Script;
  readonly #repo: PlayedRepo;
  readonly #counts = new Map<string, number>();
  /** The states that places were opened with, and the one that is worked in; null for the tree. */
  readonly #places = new Map<string, Anchor>();
  #place: Anchor | null = null;

  constructor(script: Script) {
    this.#script = script;
    const { files = {}, documents = [], theirs = [] } = script;
    this.#repo = new PlayedRepo({ files, documents, theirs });
    this.files = this.#repo.files;
  }

  drive(flow: Flow<unknown>): unknown {
    let turn = flow.next();
    while (!turn.done) {
      const outcome = this.#attempt(turn.value);
      turn = outcome instanceof Failed ? flow.throw(outcome) : flow.next(throughJson(outcome));
    }
    return throughJson(turn.value);
  }

  /** A failure is given to the flow that asked, as the engine does; everything else ends the play. */
  #attempt(step: Step): unknown {
    try {
      return this.#step(step);
    } catch (error) {
      if (error instanceof Failed) return error;
      throw error;
    }
  }

  #step(step: Step): unknown {
    if (step.do === "scope") {
      this.scopes.push(`${step.kind} ${step.name}`);
      return step.returns.parse(this.drive(step.flow));
    }
    if (step.do === "child") return this.#child(step);
    if (step.do === "all") return this.#all(step.children);
    if (step.do === "any" || step.do === "restart") throw new Error(`no phase is played with ${step.do}`);
    this.#script.meanwhile?.(step, this.files, (subject) => this.#repo.commitAll(subject));
    this.requests.push(step);
    return this.#place === null ? this.#perform(step) : this.#elsewhere(this.#place, () => this.#perform(step));
  }

  /** In a place of its own the tree is the place's. */
  #elsewhere<T>(place: Anchor, perform: () => T): T {
    const here = this.#repo.snapshot();
    this.#repo.restore(place);
    const outcome = perform();
    this.#repo.restore(here);
    return outcome;
  }

  /** One after the other, in the order of the script: all are done before the first failure counts. */
  #all(children: readonly ChildFlow[]): unknown[] {
    const order = this.#script.lastFirst ? children.toReversed() : children;
    const results = new Map(order.map((child) => [child, this.#attempt({ do: "child", ...child })]));
    const failed = children.map((child) => results.get(child)).find((result) => result instanceof Failed);
    if (failed) throw failed;
    return children.map((child) => results.get(child));
  }

  #child({ place, ...one }: ChildFlow): unknown {
    const before = this.#place;
    this.#place = place === undefined ? before : (this.#places.get(place) ?? null);
    try {
      return this.#runChild(one);
    } finally {
      this.#place = before;
    }
  }

  #runChild({ flow, name, input }: ChildFlow): unknown {
    const definition = this.#script.flows?.[flow];
    if (!definition) throw new Error(`no flow is called ${flow}`);
    this.scopes.push(`${definition.kind} ${name}`);
    // The registry erases the input's type; the schema has just restored it.
    const run = definition.run as (input: unknown) => Flow<unknown>;
    return definition.returns.parse(this.drive(run(definition.input.parse(throughJson(input)))));
  }

  #perform(request: Exclude<Request, { readonly do: "any" | "restart" }>): unknown {
    switch (request.do) {
      case "dispatch":
        return this.#dispatch(request);
      case "ask":
        return this.#ask(request.question);
      case "check": {
        const before = this.#repo.snapshot();
        const outcome = this.#script.check?.(this.files, request) ?? { passed: true, output: "" };
        const { exitCode = outcome.passed ? 0 : 1 } = outcome;
        // As the engine: what a check changes is put back.
        const changed = this.#repo.difference({ from: before.tree, to: this.#repo.tree() });
        const back = changed.length === 0 ? {} : { changed, backupRef: this.#repo.restore(before).backupRef };
        const timedOut = outcome.timedOut ?? false;
        return { tree: before.tree, ...back, ...outcome, exitCode, signal: null, timedOut, durationMs: 1 };
      }
      case "command-files": {
        const names = this.#script.scripts?.(this.files) ?? { names: [], programs: {} };
        return request.commands.map((command) => ({ command, ...names }));
      }
      case "commit":
        return this.#commit(request);
      case "head":
        return this.#repo.head();
      case "snapshot":
        return this.#repo.snapshot();
      case "anchor-without":
        return this.#repo.anchorWithout(request);
      case "changes":
        return { ...this.#repo.changes(request.since, request.without), leftAlone: this.#script.leftAlone ?? [] };
      case "restore":
        return this.#repo.restore(request.to);
      case "difference":
        return this.#repo.difference(request);
      case "undo-work":
        return this.#repo.undoWork(request.work);
      case "read":
        return this.files.get(request.path) ?? null;
      case "write":
        this.files.set(request.path, request.text);
        return null;
      case "experience":
        return this.#script.experience ?? { own: [], past: [], spentUsd: 0, models: {} };
      case "open-place": {
        const why = this.#script.noPlace?.(request.name);
        if (why !== undefined) return { why };
        this.#places.set(request.name, request.from);
        return request.name;
      }
      case "close-place":
      case "publish":
      case "wait":
      case "queue":
      case "record":
        return null;
      case "config":
        return Config.parse(this.#script.config ?? {});
    }
  }

  #dispatch({ name, access, prompt, model, ours = [] }: DispatchRequest): DispatchOutcome {
    const agent = this.#script.agents?.[name];
    if (!agent) throw new Error(`the script has no agent for ${name}`);
    const given = this.#repo.snapshot();
    const said = agent({ prompt, files: this.files, nth: this.#count(`dispatch ${name}`), model });
    if (access === "write") this.#touchTheirs();
    const touched = access === "read" ? this.#repo.changes(given).files.map(({ path }) => path) : [];
    if (touched.length > 0) this.#repo.restore(given);
    const common = {
      model: model ?? "scripted/model",
      usage: noUsage,
      durationMs: 1,
      commands: [],
      tree: given.tree,
      ...(access === "write" ? this.#traces(given, ours, typeof said === "string") : {}),
      touched,
      restored: true,
    };
    if (typeof said === "string") return { status: "finished", text: said, ...common };
    const { failed: kind, detail = "", output = "", retryAfterMs, retryAt } = said;
    return {
      status: "failed",
      kind,
      detail,
      output,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(retryAt === undefined ? {} : { retryAt }),
      ...common,
    };
  }

  #ask(question: Question): string {
    const id = { fileName: "a play", entries: new Map([[question.id, []]]) };
    assert.deepEqual(unknownIds(id, questionIds), [], "an answers file may name every question");
    const known = this.#script.answers?.[question.id];
    const answer = typeof known === "string" ? known : known?.[this.#count(`ask ${question.id}`) - 1];
    const reading = answer === undefined ? undefined : readAnswer(question, answer);
    if (!reading?.ok) throw new Waiting(question);
    return reading.answer;
  }

  /** As the engine: what is not a writer's work is put back, and one that failed leaves nothing. */
  #traces(given: Anchor, ours: readonly string[], isDone: boolean): Pick<DispatchOutcome, "start" | "traces"> {
    const { unheld } = this.#script;
    const traces = { ...this.#repo.afterWriter(given, ours), ...(unheld ? { unheld } : {}) };
    if (isDone) return { start: given, traces };
    this.#repo.restore(given);
    return { start: given, traces: { ...traces, left: given, changed: [], dirty: [] } };
  }

  /** The first writer does something to the person's files. */
  #touchTheirs(): void {
    if (this.#count("writer") > 1) return;
    for (const path of this.#script.theirs ?? []) this.files.set(path, "an agent's");
  }

  /** What the script does to files while it commits, a hook does. */
  #commit(request: CommitRequest): CommitOutcome {
    const committed = new Map(this.files);
    const said = this.#script.commit?.(this.#count("commit"), this.files, request);
    if (said === "refused") return { status: "refused", detail: "the hook says no" };
    if (said === "moved") return { status: "moved", detail: "src/limit.ts" };
    if (said === "nothing") return { status: "nothing" };
    const hooked = [...this.files].filter(([path, text]) => committed.get(path) !== text);
    replace(this.files, committed);
    return this.#repo.commit(request, new Map(hooked));
  }

  #count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }
}

function throughJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
