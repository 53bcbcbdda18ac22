// Drives a flow with values: every request is answered from a script over a tree that is a map of texts. Outcomes and
// inputs pass through JSON, as they do in the engine.

import { type DispatchOutcome, noUsage } from "../../src/core/flow/dispatch.ts";
import type { Fact } from "../../src/core/flow/fact.ts";
import { Failed, type Failure } from "../../src/core/flow/failure.ts";
import type {
  ChildFlow,
  CommitRequest,
  DispatchRequest,
  Flow,
  Flows,
  Request,
  Step,
} from "../../src/core/flow/flow.ts";
import { type Question, readAnswer } from "../../src/core/flow/question.ts";
import type { Anchor, ChangedFile, Changes, CommitOutcome } from "../../src/core/flow/repository.ts";
import type { Experience } from "../../src/core/money/experience.ts";
import { Config } from "../../src/core/run/config.ts";
import { diffOf, type Files, paths, replace, throughJson } from "./flow-files.ts";

export type { Files } from "./flow-files.ts";

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
  readonly check?: (files: Files) => { readonly passed: boolean; readonly output: string };
  readonly commit?: (nth: number, files: Files, request: CommitRequest) => "refused" | "moved" | undefined;
  /** Files of the person's that git does not track; what an agent does to them is found by `changes` until they are given back. */
  readonly theirs?: readonly string[];
  readonly leftAlone?: readonly string[];
  /** Somebody else at work: called before each request. */
  readonly meanwhile?: (request: Request, files: Files) => void;
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
  #theirs: Changes["personFiles"];
  readonly #trees: string[] = [];
  readonly #counts = new Map<string, number>();

  constructor(script: Script) {
    this.#script = script;
    this.#theirs = (script.theirs ?? []).map((path) => ({ path, change: "modified" }));
    this.files = new Map(Object.entries(script.files ?? {}));
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
    this.#script.meanwhile?.(step, this.files);
    this.requests.push(step);
    return this.#perform(step);
  }

  /** One after the other, in the order of the script: all are done before the first failure counts. */
  #all(children: readonly ChildFlow[]): unknown[] {
    const order = this.#script.lastFirst ? children.toReversed() : children;
    const results = new Map(order.map((child) => [child, this.#attempt({ do: "child", ...child })]));
    const failed = children.map((child) => results.get(child)).find((result) => result instanceof Failed);
    if (failed) throw failed;
    return children.map((child) => results.get(child));
  }

  #child({ flow, name, input }: ChildFlow): unknown {
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
        const tree = this.#tree();
        const outcome = this.#script.check?.(this.files) ?? { passed: true, output: "" };
        const exitCode = outcome.passed ? 0 : 1;
        return { ...outcome, exitCode, signal: null, timedOut: false, durationMs: 1, tree };
      }
      case "commit":
        return this.#commit(request);
      case "head":
        return { sha: "head", branch: "work" };
      case "snapshot":
        return this.#anchor();
      case "anchor-without":
        return this.#without(request);
      case "changes":
        return this.#changes(request.since);
      case "restore":
        return this.#restore(request.to);
      case "restore-files":
        this.#theirs = [];
        return { restored: request.paths, backupRef: "refs/given-back", moved: false, leftAlone: [] };
      case "read":
        return this.files.get(request.path) ?? null;
      case "write":
        this.files.set(request.path, request.text);
        return null;
      case "experience":
        return this.#script.experience ?? { own: [], past: [], spentUsd: 0, models: {} };
      case "open-place":
        return request.name;
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

  #dispatch({ name, access, prompt, model }: DispatchRequest): DispatchOutcome {
    const agent = this.#script.agents?.[name];
    if (!agent) throw new Error(`the script has no agent for ${name}`);
    const before = new Map(this.files);
    const given = this.#anchor();
    const said = agent({ prompt, files: this.files, nth: this.#count(`dispatch ${name}`), model });
    const touched = access === "read" ? paths(this.#compare(before)) : [];
    if (touched.length > 0) replace(this.files, before);
    const common = {
      model: model ?? "scripted/model",
      usage: noUsage,
      durationMs: 1,
      commands: [],
      tree: given.tree,
      ...(access === "write" ? { start: given } : {}),
      touched,
      head: "f".repeat(40),
      restored: true,
    };
    if (typeof said === "string") return { status: "finished", text: said, ...common };
    const { failed: kind, detail = "", output = "", retryAfterMs } = said;
    return {
      status: "failed",
      kind,
      detail,
      output,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...common,
    };
  }

  #ask(question: Question): string {
    const known = this.#script.answers?.[question.id];
    const answer = typeof known === "string" ? known : known?.[this.#count(`ask ${question.id}`) - 1];
    if (answer === undefined || !readAnswer(question, answer).ok) throw new Waiting(question);
    return answer;
  }

  #commit(request: CommitRequest): CommitOutcome {
    const before = this.#tree();
    const said = this.#script.commit?.(this.#count("commit"), this.files, request);
    if (said === "refused") return { status: "refused", detail: "the hook says no" };
    const isMoved = said === "moved" || (request.tree !== undefined && request.tree !== before);
    if (isMoved) return { status: "moved", detail: "src/limit.ts" };
    const files = request.documents ?? paths(this.#changes(request.since).files);
    if (files.length === 0) return { status: "nothing" };
    const sha = `sha-${this.#count("sha")}`;
    return { status: "committed", sha, tree: this.#tree(), changedByHook: this.#tree() !== before, files };
  }

  #anchor(): Anchor {
    return { sha: "head", branch: "work", tree: this.#tree(), ref: "refs/superteam/kept", leftAlone: [] };
  }

  /** Nobody commits here, so that what is in no work is as it is. */
  #without({ at, work }: Extract<Request, { do: "anchor-without" }>): Anchor {
    const now = new Map(this.files);
    const before = this.#filesOf(work.start);
    replace(this.files, this.#filesOf(at));
    for (const path of work.files) {
      const text = before.get(path);
      if (text === undefined) this.files.delete(path);
      else this.files.set(path, text);
    }
    const tree = this.#tree();
    replace(this.files, now);
    return { ...at, tree };
  }

  #changes(since: Anchor): Changes {
    const files = this.#compare(this.#filesOf(since));
    const old = this.#filesOf(since);
    const diff = files.map(({ path }) => diffOf(path, old.get(path), this.files.get(path))).join("\n");
    return { files, diff, tree: this.#tree(), personFiles: this.#theirs, leftAlone: this.#script.leftAlone ?? [] };
  }

  #restore(to: Anchor) {
    const wanted = this.#filesOf(to);
    const restored = paths(this.#compare(wanted));
    for (const path of this.#script.documents ?? []) {
      const text = this.files.get(path);
      if (text !== undefined) wanted.set(path, text);
    }
    replace(this.files, wanted);
    return { restored, backupRef: "refs/superteam/given-up", moved: false, leftAlone: [] };
  }

  #compare(old: Files): ChangedFile[] {
    const all = new Set([...old.keys(), ...this.files.keys()].filter((path) => !this.#isDocument(path)));
    return [...all].sort().flatMap((path): ChangedFile[] => {
      if (old.get(path) === this.files.get(path)) return [];
      if (!old.has(path)) return [{ path, change: "added" }];
      return [{ path, change: this.files.has(path) ? "modified" : "deleted" }];
    });
  }

  /** Trees are named in the order in which they are first seen. */
  #tree(): string {
    const text = JSON.stringify([...this.files].filter(([path]) => !this.#isDocument(path)).sort());
    if (!this.#trees.includes(text)) this.#trees.push(text);
    return `tree-${this.#trees.indexOf(text)}`;
  }

  #filesOf({ tree }: Anchor): Files {
    const entries: unknown = JSON.parse(this.#trees[Number(tree.slice("tree-".length))] ?? "[]");
    // Written by `#tree` just as it is read here.
    return new Map(entries as [string, string][]);
  }

  #isDocument(path: string): boolean {
    return this.#script.documents?.includes(path) ?? false;
  }

  #count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }
}
