// Drives flows. Each request is answered exactly once, through the journal: what has an outcome is replayed, what was
// begun and interrupted is put right and performed again, and only the rest is new (E2).

import { Failed } from "../../core/flow/failure.ts";
import type {
  AnyRequest,
  AnyStep,
  ChildFlow,
  Flow,
  FlowDefinition,
  Flows,
  PlaceId,
  Request,
  RestartRequest,
  ScopeKind,
  Step,
} from "../../core/flow/flow.ts";
import { nameOf, parentOf } from "../../core/flow/keys.ts";
import type { ScopeResult } from "../../ports/journal.ts";
import { Cursor } from "./cursor.ts";
import { Halt, Suspended } from "./halt.ts";
import { begin, type Parts, perform, type RequestTurn } from "./perform.ts";
import { closeLoser } from "./race.ts";
import { append, settle } from "./recorder.ts";
import { Diverged, nextEpoch, type Replay, sameRequest, troubleIn } from "./replay.ts";
import type { World } from "./world.ts";

interface Scope {
  readonly name: string;
  readonly kind: ScopeKind;
  readonly returns: FlowDefinition["returns"];
  readonly flow: () => Flow<unknown>;
  readonly place?: PlaceId | undefined;
}

export interface RunnerParts extends Parts {
  readonly flows: Flows;
  readonly replay: Replay;
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

  /** Runs a flow to its end. Replayed steps cost no turn of the event loop. What it cannot handle is trouble in its scope. */
  async drive<T>(flow: Flow<T>, cursor: Cursor): Promise<T> {
    try {
      let turn = flow.next();
      while (!turn.done) {
        let advance: () => typeof turn;
        try {
          const performed = this.#perform(turn.value, cursor);
          const outcome: unknown = performed instanceof Promise ? await performed : performed;
          advance = () => flow.next(outcome);
        } catch (error) {
          const failed = failureIn(error);
          advance = () => flow.throw(failed);
        }
        turn = advance();
      }
      this.#parts.replay.ended(cursor);
      return turn.value;
    } catch (error) {
      const trouble = troubleIn(cursor.path, error);
      if (trouble instanceof Diverged) this.#diverged = true;
      throw trouble;
    }
  }

  #perform(step: Step, cursor: Cursor): unknown {
    switch (step.do) {
      case "scope":
        return this.#scope({ ...step, flow: () => step.flow }, this.#enter(cursor, step.name), cursor);
      case "child":
        return this.#scope(this.#definition(step), this.#enter(cursor, step.name), cursor);
      case "all":
        return this.#all(step.children, cursor);
      case "any":
        return this.#any(step, cursor);
      case "restart":
        return this.#restart(step, cursor);
      default:
        return this.#request(step, cursor);
    }
  }

  /** All branches settle before anything is thrown; results and the first failure follow the order given (E6). */
  async #all(children: readonly ChildFlow[], cursor: Cursor): Promise<unknown[]> {
    const paths = children.map((child) => this.#enter(cursor, child.name));
    const branches = children.map((child, index) => this.#branch(child, paths[index] ?? "", branchAt(cursor, index)));
    const settled = await Promise.allSettled(branches);
    const worst = worstOf(settled);
    if (worst !== undefined) throw worst;
    return settled.map((branch) => (branch.status === "fulfilled" ? branch.value : undefined));
  }

  async #branch(child: ChildFlow, path: string, where: Pick<Cursor, "order" | "place">): Promise<unknown> {
    try {
      return await this.#scope(this.#definition(child), path, where);
    } catch (error) {
      // Anything else is a bug, or something outside that is broken.
      const isTold = error instanceof Failed || error instanceof Diverged || error instanceof Suspended;
      if (!isTold) this.#parts.halt.drain("trouble");
      throw error;
    }
  }

  /** The first branch that ends well wins, and the others are stopped. When none does, the first failure is thrown. */
  async #any({ name, children }: AnyStep, cursor: Cursor): Promise<unknown> {
    const request = { do: "any", name, flows: children.map(({ flow }) => flow) } as const;
    const turn = this.#turn(request, cursor);
    const paths = children.map((child) => this.#enter(cursor, child.name));
    if (!turn.past?.settled) {
      this.#mayStart();
      await begin(turn, this.#parts);
    }
    const branches = children.map((child, index) => {
      const halt = new Halt(this.#parts.halt);
      const run = (): Promise<unknown> =>
        new Runner({ ...this.#parts, halt }).#branch(child, paths[index] ?? "", branchAt(cursor, index));
      return { halt, run };
    });
    // The index of the winner is the outcome of the race.
    const known = turn.past?.settled ? (turn.past.outcome as number) : undefined;
    const running = known === undefined ? branches.map(({ run }) => run()) : [];
    const winner = known ?? (await firstOf(running));
    if (known === undefined) await settle(this.#world, turn.key, winner);
    for (const [index, { halt }] of branches.entries()) if (index !== winner) halt.stop("cancelled");
    await Promise.allSettled(running);
    for (const [index, path] of paths.entries()) if (index !== winner) await closeLoser(path, this.#parts);
    return running[winner] ?? branches[winner]?.run();
  }

  /** From here on a scope that was run in this flow is another one, at its next epoch (E5). */
  async #restart(request: RestartRequest, cursor: Cursor): Promise<void> {
    const turn = this.#turn(request, cursor);
    if (turn.past?.settled) return cursor.restarted(request.name, turn.past.outcome as number);
    this.#mayStart();
    await begin(turn, this.#parts);
    const { journal } = this.#world;
    const scope = journal.current(cursor.latest(request.name));
    const epoch = nextEpoch(journal.entries, scope);
    await append(this.#world, { type: "restart", scope, epoch, by: "flow" });
    await settle(this.#world, turn.key, epoch);
    cursor.restarted(request.name, epoch);
  }

  #enter(cursor: Cursor, name: string): string {
    const path = cursor.child(name);
    this.#parts.replay.expect(cursor, path);
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
    const path = journal.current(base);
    const known = journal.result(path);
    if (known) return this.#unwrap(known, scope, path);
    this.#mayStart();
    if (!this.#parts.replay.entered(path)) await append(this.#world, { type: "enter", scope: path, kind: scope.kind });
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
    // The scope is finished: only its parent can run again.
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
  #request(request: Exclude<Request, AnyRequest | RestartRequest>, cursor: Cursor): unknown {
    const turn = this.#turn(request, cursor);
    if (turn.past?.settled) return turn.past.outcome;
    this.#mayStart();
    return perform(turn, this.#parts);
  }

  /** The request's place in the journal. Throws where the journal has another one there. */
  #turn<R extends Request>(request: R, cursor: Cursor): RequestTurn<R> {
    const { key, occurrence } = cursor.key(request.do, nameOf(request));
    this.#parts.replay.expect(cursor, key);
    const past = this.#world.journal.recall(key);
    if (past && !sameRequest(past.request, request)) {
      throw new Diverged(cursor.path, `the journal has another role, question or command under ${key}`);
    }
    return { request, key, occurrence, cursor, past };
  }
}

/** What a flow may catch. Everything else goes on to who drives it. */
function failureIn(error: unknown): Failed {
  if (error instanceof Failed) return error;
  throw error;
}

/** The position of a branch: its number distinguishes it from the others. */
const branchAt = ({ order, place }: Cursor, index: number) => ({ order: [...order, index], place });

/** The index of the first that is fulfilled. With none, the gravest of what went wrong is thrown. */
async function firstOf(branches: readonly Promise<unknown>[]): Promise<number> {
  const first = Promise.any(branches.map((branch, index) => branch.then(() => index)));
  return first.catch(async () => {
    throw worstOf(await Promise.allSettled(branches));
  });
}

/** What says most about why it went wrong: a bug or trouble outside, then a stop, then the first failure in order. */
function worstOf(settled: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors = settled.flatMap((branch) => (branch.status === "rejected" ? [branch.reason] : []));
  return (
    errors.find((error) => !(error instanceof Failed) && !(error instanceof Suspended)) ??
    errors.find((error) => error instanceof Suspended) ??
    errors[0]
  );
}
