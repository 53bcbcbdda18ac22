// Drives flows. Each request is answered exactly once, through the journal: what has an outcome is replayed, what was
// begun and interrupted is put right and performed again, and only the rest is new.

import type { DispatchOutcome } from "../../core/flow/dispatch.ts";
import { Failed } from "../../core/flow/failure.ts";
import type {
  AskRequest,
  ChildFlow,
  DispatchRequest,
  Flow,
  FlowDefinition,
  Flows,
  Request,
  ScopeKind,
  Step,
} from "../../core/flow/flow.ts";
import { asideQuestion, atEpoch, flatKey, nameOf, parentOf } from "../../core/flow/keys.ts";
import type { Answerer, Question } from "../../core/flow/question.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { EntryBody, Recalled, ScopeResult } from "../../ports/journal.ts";
import type { QuestionQueue } from "../asking/question-queue.ts";
import type { Budget } from "../money/budget.ts";
import { gatherExperience } from "../money/experience.ts";
import type { Tally } from "../money/tally.ts";
import { Cursor } from "./cursor.ts";
import { performDispatch } from "./dispatching.ts";
import { type Halt, Suspended } from "./halt.ts";
import { settleAccounts, undoInterrupted } from "./recovery.ts";
import { Diverged, type Replay, sameRequest } from "./replay.ts";
import { type Begun, changesSomething, type PlainRequest, performPlain } from "./requests.ts";
import type { World } from "./world.ts";

type ExperienceRequest = Extract<Request, { readonly do: "experience" }>;

interface Scope {
  readonly name: string;
  readonly kind: ScopeKind;
  readonly returns: FlowDefinition["returns"];
  readonly flow: () => Flow<unknown>;
}

/** One request at one place: its key, and what the journal knows of it. */
interface Turn<R extends Request = Request> {
  readonly request: R;
  readonly key: string;
  readonly occurrence: number;
  readonly place: Cursor;
  readonly past: Recalled | undefined;
}

export interface RunnerParts {
  readonly world: World;
  readonly runId: string;
  readonly flows: Flows;
  readonly past: Replay;
  readonly halt: Halt;
  readonly questions: QuestionQueue;
  readonly tally: Tally;
  readonly budget: Budget;
}

export class Runner {
  readonly #parts: RunnerParts;
  readonly #world: World;
  /** A branch took another path than the journal: the others start nothing new in this pass. */
  #diverged = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#world = parts.world;
  }

  /** Runs a flow to its end. Replayed steps cost no turn of the event loop. */
  async drive<T>(flow: Flow<T>, place: Cursor): Promise<T> {
    let turn = flow.next();
    while (!turn.done) {
      let outcome: unknown;
      try {
        const performed = this.#perform(turn.value, place);
        outcome = performed instanceof Promise ? await performed : performed;
      } catch (error) {
        if (error instanceof Diverged) this.#diverged = true;
        if (!(error instanceof Failed)) throw error;
        turn = flow.throw(error);
        continue;
      }
      turn = flow.next(outcome);
    }
    this.#parts.past.ended(place);
    return turn.value;
  }

  #perform(step: Step, place: Cursor): unknown {
    switch (step.do) {
      case "scope":
        return this.#scope({ ...step, flow: () => step.flow }, this.#enter(place, step.name), place.order);
      case "child":
        return this.#scope(this.#definition(step), this.#enter(place, step.name), place.order);
      case "all":
        return this.#all(step.children, place);
      default:
        return this.#request(step, place);
    }
  }

  /** All branches settle before anything is thrown; results and the first failure follow the order given. */
  async #all(children: readonly ChildFlow[], place: Cursor): Promise<unknown[]> {
    const paths = children.map((child) => this.#enter(place, child.name));
    const branches = children.map(async (child, index) => {
      try {
        return await this.#scope(this.#definition(child), paths[index] ?? "", [...place.order, index]);
      } catch (error) {
        if (isTrouble(error)) this.#parts.halt.drain("trouble");
        throw error;
      }
    });
    const settled = await Promise.allSettled(branches);
    const errors = settled.filter((branch) => branch.status === "rejected").map((branch) => branch.reason);
    const worst =
      errors.find((error) => !(error instanceof Failed) && !(error instanceof Suspended)) ??
      errors.find((error) => error instanceof Suspended) ??
      errors[0];
    if (worst !== undefined) throw worst;
    return settled.map((branch) => (branch.status === "fulfilled" ? branch.value : undefined));
  }

  #enter(place: Cursor, name: string): string {
    const path = place.child(name);
    this.#parts.past.expect(place, path);
    return path;
  }

  #definition({ flow, name, input }: ChildFlow): Scope {
    const definition = this.#parts.flows[flow];
    if (definition === undefined) throw new Error(`no flow is registered as "${flow}"`);
    const { kind, returns } = definition;
    // The registry erases the input's type; the schema has just given it back.
    return { name, kind, returns, flow: () => definition.run(definition.input.parse(input) as never) };
  }

  async #scope(scope: Scope, base: string, order: readonly number[]): Promise<unknown> {
    const { journal } = this.#world;
    const path = atEpoch(base, journal.epoch(base));
    const known = journal.result(path);
    if (known) return this.#unwrap(known, scope, path);
    this.#mayStart();
    if (!this.#parts.past.entered(path)) await this.#append({ type: "enter", scope: path, kind: scope.kind }, false);
    const result = await this.#settled(scope, new Cursor(path, order));
    const entry = await this.#append({ type: "leave", scope: path, result }, true);
    return this.#unwrap(entry.type === "leave" ? entry.result : result, scope, path);
  }

  async #settled(scope: Scope, place: Cursor): Promise<ScopeResult> {
    try {
      return { ok: true, value: await this.drive(scope.flow(), place) };
    } catch (error) {
      if (error instanceof Failed) return { ok: false, failure: error.failure };
      throw error;
    }
  }

  #unwrap(result: ScopeResult, scope: Scope, path: string): unknown {
    if (!result.ok) throw new Failed(result.failure);
    const value = scope.returns.safeParse(result.value);
    if (value.success) return value.data;
    // The scope is finished: what can be run again is the one it lies in.
    throw new Diverged(
      parentOf(path),
      `the result of ${path} in the journal is not what this version expects: ${value.error.message}`,
    );
  }

  /** What is replayed needs no permission. */
  #mayStart(): void {
    if (this.#diverged) throw new Suspended();
    this.#parts.halt.check();
  }

  /** The outcome at once when the journal has it, else a promise of it. */
  #request(request: Request, place: Cursor): unknown {
    const { key, occurrence } = place.key(request.do, nameOf(request));
    this.#parts.past.expect(place, key);
    const past = this.#world.journal.recall(key);
    if (past && !sameRequest(past.request, request)) {
      throw new Diverged(place.path, `the journal has another role, question or command under ${key}`);
    }
    if (past?.settled) return past.outcome;
    this.#mayStart();
    return this.#fresh({ request, key, occurrence, place, past });
  }

  async #fresh({ request, ...turn }: Turn): Promise<unknown> {
    try {
      if (request.do === "ask") return await this.#ask({ request, ...turn });
      if (request.do === "dispatch") return await this.#dispatch({ request, ...turn });
      return await this.#plain({ request, ...turn });
    } catch (error) {
      // Ctrl-C reaches git as well: what it then says is about the stop, not about the request.
      const isGit = error instanceof OutsideFailure && error.kind === "git-failed";
      if (this.#parts.halt.now.aborted && isGit) throw new Suspended();
      throw error;
    }
  }

  async #plain(turn: Turn<Exclude<Request, AskRequest | DispatchRequest>>): Promise<unknown> {
    const writing = this.#begin(turn, {});
    // A journal that cannot be written is told by the settle below as well; this one must not go unheard meanwhile.
    writing.catch(() => undefined);
    // What only looks may start at once: its begin record is on its way, and doing it again would change nothing.
    const begun = changesSomething(turn.request) ? await writing : this.#begunLater(turn);
    const outcome = await this.#performed(turn.request, begun);
    const [settled] = await Promise.all([this.#settle(turn.key, outcome), writing]);
    return settled;
  }

  #performed(request: Turn<PlainRequest | ExperienceRequest>["request"], begun: Begun): Promise<unknown> {
    if (request.do === "experience") return gatherExperience(this.#world, this.#parts.tally);
    return performPlain(this.#world, request, begun, this.#parts.halt);
  }

  /** A try that the budget stopped has no outcome: it is the next one's past. */
  async #dispatch(turn: Turn<DispatchRequest>): Promise<unknown> {
    for (let past = turn.past; ; past = this.#world.journal.recall(turn.key)) {
      const outcome = await this.#try({ ...turn, past });
      if (outcome) return this.#settle(turn.key, outcome);
    }
  }

  async #try(turn: Turn<DispatchRequest>): Promise<DispatchOutcome | undefined> {
    const { request, key, occurrence, place, past } = turn;
    const { world, runId, halt, budget, tally } = this.#parts;
    if (past) {
      const interrupted = { key, runId, past, role: request.role };
      await settleAccounts(world, tally, interrupted);
      await undoInterrupted(world, interrupted, (question) => this.#aside(turn, question));
    }
    // A role that cannot be had, such as with a broken configuration, is told before anything has begun.
    const role = await world.roles.resolve(request.role, request);
    const { difficulty = null } = request;
    const ticket = await budget.admit(key, { role: request.role, difficulty, model: role.model });
    try {
      const anchor = await world.repo.snapshot(`${flatKey(key)}-t${(past?.tries ?? 0) + 1}`);
      if (ticket.signal.aborted) return undefined;
      const begun = await this.#begin(turn, { anchor });
      const step = `${place.path === "" ? "" : `${place.path}/`}${request.name}`;
      const job = { world, halt, ticket, begun, request, role, anchor, step, attempt: occurrence };
      return await performDispatch(job);
    } finally {
      ticket.release();
    }
  }

  async #ask({ request, key, place, past, occurrence }: Turn<AskRequest>): Promise<unknown> {
    // A question that waits is shown again, not begun again.
    if (past === undefined) await this.#begin({ request, key, place, past, occurrence }, {});
    return this.#parts.questions.ask(request.question, place.order, async (answer, by) => {
      await this.#settle(key, answer, by);
    });
  }

  /** A question of the engine itself about a request: journaled beside it, not as a step of the flow. */
  async #aside({ key, place, past }: Turn, question: Question): Promise<string> {
    const aside = asideQuestion(key, question.id, past?.tries ?? 1);
    const known = this.#world.journal.recall(aside);
    // The journal settles a question with the answer's text.
    if (known?.settled) return known.outcome as string;
    const request: AskRequest = { do: "ask", question };
    return (await this.#ask({ request, key: aside, place, past: known, occurrence: 1 })) as string;
  }

  async #begin(turn: Turn, extra: Pick<Recalled, "anchor">): Promise<Begun> {
    const { key, request, past } = turn;
    const body: EntryBody = { type: "begin", key, request, tries: (past?.tries ?? 0) + 1, ...extra };
    // A question is on disk before it is shown.
    const { seq, at } = await this.#append(body, request.do === "ask");
    return { key, seq, since: past?.at ?? at, runId: this.#parts.runId, interrupted: past?.seq };
  }

  #begunLater({ key, past }: Turn): Begun {
    return { key, seq: 0, since: 0, runId: this.#parts.runId, interrupted: past?.seq };
  }

  async #settle(key: string, outcome: unknown, by: Answerer = "person"): Promise<unknown> {
    const entry = await this.#append({ type: "settle", key, outcome, ...(by === "model" ? { by } : {}) }, true);
    return entry.type === "settle" ? entry.outcome : outcome;
  }

  async #append(body: EntryBody, sync: boolean) {
    const entry = await this.#world.journal.append(body, { sync });
    this.#world.watch({ type: "entry", entry });
    return entry;
  }
}

/** Neither a failure a flow may catch, nor a stop, nor another path: a bug, or something outside that failed. */
function isTrouble(error: unknown): boolean {
  return !(error instanceof Failed || error instanceof Diverged || error instanceof Suspended);
}
