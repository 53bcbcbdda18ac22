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
  PlaceId,
  Request,
  ScopeKind,
  Step,
} from "../../core/flow/flow.ts";
import { asideQuestion, atEpoch, flatKey, nameOf, parentOf } from "../../core/flow/keys.ts";
import type { Question } from "../../core/flow/question.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { EntryBody, Recalled, ScopeResult } from "../../ports/journal.ts";
import type { QuestionQueue } from "../asking/question-queue.ts";
import type { Budget } from "../money/budget.ts";
import type { Tally } from "../money/tally.ts";
import { Cursor } from "./cursor.ts";
import { performDispatch } from "./dispatching.ts";
import { type Halt, Suspended } from "./halt.ts";
import { append, settle } from "./recorder.ts";
import { settleAccounts, undoInterrupted } from "./recovery.ts";
import { Diverged, type Replay, sameRequest } from "./replay.ts";
import { type Begun, changesSomething, type PlainRequest, performPlain } from "./requests.ts";
import type { World } from "./world.ts";

interface Scope {
  readonly name: string;
  readonly kind: ScopeKind;
  readonly returns: FlowDefinition["returns"];
  readonly flow: () => Flow<unknown>;
  readonly place?: PlaceId | undefined;
}

/** One request where a flow stands: its key, and what the journal knows of it. */
interface Turn<R extends Request = Request> {
  readonly request: R;
  readonly key: string;
  readonly occurrence: number;
  readonly cursor: Cursor;
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
  async drive<T>(flow: Flow<T>, cursor: Cursor): Promise<T> {
    let turn = flow.next();
    while (!turn.done) {
      let outcome: unknown;
      try {
        const performed = this.#perform(turn.value, cursor);
        outcome = performed instanceof Promise ? await performed : performed;
      } catch (error) {
        if (error instanceof Diverged) this.#diverged = true;
        if (!(error instanceof Failed)) throw error;
        turn = flow.throw(error);
        continue;
      }
      turn = flow.next(outcome);
    }
    this.#parts.past.ended(cursor);
    return turn.value;
  }

  #perform(step: Step, cursor: Cursor): unknown {
    switch (step.do) {
      case "scope":
        return this.#scope({ ...step, flow: () => step.flow }, this.#enter(cursor, step.name), cursor);
      case "child":
        return this.#scope(this.#definition(step), this.#enter(cursor, step.name), cursor);
      case "all":
        return this.#all(step.children, cursor);
      default:
        return this.#request(step, cursor);
    }
  }

  /** All branches settle before anything is thrown; results and the first failure follow the order given. */
  async #all(children: readonly ChildFlow[], cursor: Cursor): Promise<unknown[]> {
    const paths = children.map((child) => this.#enter(cursor, child.name));
    const branches = children.map(async (child, index) => {
      try {
        return await this.#scope(this.#definition(child), paths[index] ?? "", {
          order: [...cursor.order, index],
          place: cursor.place,
        });
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

  #enter(cursor: Cursor, name: string): string {
    const path = cursor.child(name);
    this.#parts.past.expect(cursor, path);
    return path;
  }

  #definition({ flow, name, input, place }: ChildFlow): Scope {
    const definition = this.#parts.flows[flow];
    if (definition === undefined) throw new Error(`no flow is registered as "${flow}"`);
    const { kind, returns } = definition;
    // The registry erases the input's type; the schema has just given it back.
    return { name, kind, returns, place, flow: () => definition.run(definition.input.parse(input) as never) };
  }

  async #scope(scope: Scope, base: string, at: Pick<Cursor, "order" | "place">): Promise<unknown> {
    const { journal } = this.#world;
    const path = atEpoch(base, journal.epoch(base));
    const known = journal.result(path);
    if (known) return this.#unwrap(known, scope, path);
    this.#mayStart();
    if (!this.#parts.past.entered(path)) await append(this.#world, { type: "enter", scope: path, kind: scope.kind });
    const result = await this.#settled(scope, new Cursor(path, { order: at.order, place: scope.place ?? at.place }));
    const entry = await append(this.#world, { type: "leave", scope: path, result });
    return this.#unwrap(entry.type === "leave" ? entry.result : result, scope, path);
  }

  async #settled(scope: Scope, cursor: Cursor): Promise<ScopeResult> {
    try {
      return { ok: true, value: await this.drive(scope.flow(), cursor) };
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
  #request(request: Request, cursor: Cursor): unknown {
    const { key, occurrence } = cursor.key(request.do, nameOf(request));
    this.#parts.past.expect(cursor, key);
    const past = this.#world.journal.recall(key);
    if (past && !sameRequest(past.request, request)) {
      throw new Diverged(cursor.path, `the journal has another role, question or command under ${key}`);
    }
    if (past?.settled) return past.outcome;
    this.#mayStart();
    return this.#fresh({ request, key, occurrence, cursor, past });
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

  async #plain(turn: Turn<PlainRequest>): Promise<unknown> {
    const writing = this.#begin(turn, {});
    // A journal that cannot be written is told by the settle below as well; this one must not go unheard meanwhile.
    writing.catch(() => undefined);
    // What only looks may start at once: its begin record is on its way, and doing it again would change nothing.
    const begun = changesSomething(turn.request) ? await writing : this.#begunLater(turn);
    const { halt, tally } = this.#parts;
    const place = await this.#world.places.at(turn.cursor.place);
    const outcome = await performPlain(turn.request, { world: this.#world, place, begun, halt, tally });
    const [settled] = await Promise.all([settle(this.#world, turn.key, outcome), writing]);
    return settled;
  }

  /** A try that the budget stopped has no outcome: it is the next one's past. */
  async #dispatch(turn: Turn<DispatchRequest>): Promise<unknown> {
    for (let past = turn.past; ; past = this.#world.journal.recall(turn.key)) {
      const outcome = await this.#try({ ...turn, past });
      if (outcome) return settle(this.#world, turn.key, outcome);
    }
  }

  async #try(turn: Turn<DispatchRequest>): Promise<DispatchOutcome | undefined> {
    const { request, key, occurrence, cursor, past } = turn;
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
      const place = await world.places.at(cursor.place);
      const anchor = await place.repo.snapshot(`${flatKey(key)}-t${(past?.tries ?? 0) + 1}`);
      if (ticket.signal.aborted) return undefined;
      const begun = await this.#begin(turn, { anchor });
      const step = `${cursor.path === "" ? "" : `${cursor.path}/`}${request.name}`;
      const job = { world, place, halt, ticket, begun, request, role, anchor, step, attempt: occurrence };
      return await performDispatch(job);
    } finally {
      ticket.release();
    }
  }

  async #ask({ request, key, cursor, past, occurrence }: Turn<AskRequest>): Promise<unknown> {
    // A question that waits is shown again, not begun again.
    if (past === undefined) await this.#begin({ request, key, cursor, past, occurrence }, {});
    return this.#parts.questions.ask(request.question, cursor.order, async (answer, by) => {
      await settle(this.#world, key, answer, by);
    });
  }

  /** A question of the engine itself about a request: journaled beside it, not as a step of the flow. */
  async #aside({ key, cursor, past }: Turn, question: Question): Promise<string> {
    const aside = asideQuestion(key, question.id, past?.tries ?? 1);
    const known = this.#world.journal.recall(aside);
    // The journal settles a question with the answer's text.
    if (known?.settled) return known.outcome as string;
    const request: AskRequest = { do: "ask", question };
    return (await this.#ask({ request, key: aside, cursor, past: known, occurrence: 1 })) as string;
  }

  async #begin(turn: Turn, extra: Pick<Recalled, "anchor">): Promise<Begun> {
    const { key, request, past, cursor } = turn;
    const body: EntryBody = {
      type: "begin",
      key,
      request,
      tries: (past?.tries ?? 0) + 1,
      place: cursor.place,
      ...extra,
    };
    const { seq, at } = await append(this.#world, body);
    return { key, seq, since: past?.at ?? at, runId: this.#parts.runId, interrupted: past?.seq };
  }

  #begunLater({ key, past }: Turn): Begun {
    return { key, seq: 0, since: 0, runId: this.#parts.runId, interrupted: past?.seq };
  }
}

/** Neither a failure a flow may catch, nor a stop, nor another path: a bug, or something outside that failed. */
function isTrouble(error: unknown): boolean {
  return !(error instanceof Failed || error instanceof Diverged || error instanceof Suspended);
}
