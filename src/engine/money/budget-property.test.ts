// The bound on what is spent beyond the limit, held against random costs, agents side by side, limits that are raised, and
// kills at any moment. The budget, the tally, the questions and the journal are the real ones; only agents and person are
// played.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { times } from "../../../test/rig/property.ts";
import { memoryJournal } from "../../adapters/journal/memory.ts";
import { noUsage } from "../../core/flow/dispatch.ts";
import { Failed } from "../../core/flow/failure.ts";
import type { DispatchRequest } from "../../core/flow/flow.ts";
import { limitsOf, raised, reached } from "../../core/money/budget.ts";
import { Config } from "../../core/run/config.ts";
import type { Entry, EntryBody, Journal } from "../../ports/journal.ts";
import type { Person } from "../../ports/person.ts";
import { asidesOf } from "../asking/asides.ts";
import { QuestionQueue } from "../asking/question-queue.ts";
import { Halt, Suspended } from "../drive/halt.ts";
import { applyEntry } from "../views/fold/run-view.ts";
import { RunView } from "../views/fold/shape.ts";
import { Budget } from "./budget.ts";
import { Tally } from "./tally.ts";

const cases = times(1000);

const base = Config.parse({});

/** Whole dollars, so that sums are exact. */
const turnUsd = fc.integer({ min: 0, max: 9 });
const dispatch = fc.array(turnUsd, { minLength: 1, maxLength: 3 });
const scenario = fc.record({
  branches: fc.array(fc.array(dispatch, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
  hardUsd: fc.integer({ min: 1, max: 25 }),
  warnUsd: fc.integer({ min: 1, max: 50 }),
  /** How much is added each time the person raises the limit; then they close the question. */
  raises: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
  /** A life is killed after so many turns; the configured limit is raised before the next one. */
  lives: fc.array(fc.record({ killAfter: fc.integer({ min: 0, max: 12 }), addUsd: fc.integer({ min: 0, max: 15 }) }), {
    maxLength: 2,
  }),
  /** How long each thing takes, in turns of the event loop. */
  pace: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
  /** An agent that is stopped had begun its next turn. */
  isEager: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

test("what is spent beyond the limit is at most a turn for each agent that ran when it was reached", async (t) => {
  const seen = { stopped: 0, waited: 0, killed: 0, over: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async (story) => {
      const played = new Played(story);
      await played.toTheEnd();
      for (const key of ["stopped", "waited", "killed", "over"] as const) seen[key] += played.seen[key] > 0 ? 1 : 0;
    }),
    { numRuns: cases },
  );
  t.diagnostic(JSON.stringify(seen));
  for (const [what, times] of Object.entries(seen)) assert.ok(times > cases / 100, `${what} is hardly ever tried`);
});

/** One run through its lives. */
class Played {
  readonly seen = { stopped: 0, waited: 0, killed: 0, over: 0 };
  readonly #story: Scenario;
  #entries: readonly Entry[] = [];
  #raises: number[];
  #hardUsd: number;
  /** The next turn of each agent that runs. */
  #inFlight = new Map<string, number>();

  constructor(story: Scenario) {
    this.#story = story;
    this.#raises = [...story.raises];
    this.#hardUsd = story.hardUsd;
  }

  async toTheEnd(): Promise<void> {
    for (const { killAfter, addUsd } of this.#story.lives) {
      await this.#live(killAfter);
      this.#hardUsd += addUsd;
    }
    await this.#live(Number.POSITIVE_INFINITY);
    assertSum(this.#entries);
  }

  async #live(killAfter: number): Promise<void> {
    const life = new Life(this.#entries, { ...this.#story, hardUsd: this.#hardUsd, raises: this.#raises, killAfter });
    await life.recount(this.#inFlight);
    await life.run();
    this.#entries = life.left;
    this.#inFlight = life.inFlight;
    for (const key of ["stopped", "waited", "killed", "over"] as const) this.seen[key] += life.seen[key];
  }
}

/** The ledger is the sum of its notes, to whoever counts. */
function assertSum(entries: readonly Entry[]): void {
  const tally = new Tally();
  const view = new RunView();
  let sum = 0;
  for (const entry of entries) {
    tally.take(entry);
    applyEntry(view, entry);
    if (entry.type === "note" && entry.note.type === "usage") sum += entry.note.usage.costUsd;
  }
  assert.equal(tally.spent.usd, sum);
  assert.equal(view.spend.total.costUsd, sum);
}

interface Terms extends Omit<Scenario, "lives"> {
  readonly raises: number[];
  readonly killAfter: number;
}

interface Turn {
  readonly costUsd: number;
  readonly next?: number | undefined;
}

class Life {
  readonly seen = { stopped: 0, waited: 0, killed: 0, over: 0 };
  readonly inFlight = new Map<string, number>();
  /** The journal as a kill left it. */
  left: readonly Entry[];
  readonly #terms: Terms;
  readonly #journal: Journal;
  readonly #tally = new Tally();
  readonly #halt = new Halt();
  readonly #budget: Budget;
  readonly #config: Config;
  /** What may be spent at most, fixed when a limit is reached; undefined while there is room. */
  #bound: number | undefined;
  #turns = 0;
  #steps = 0;
  #isDead = false;

  constructor(before: readonly Entry[], terms: Terms) {
    this.#terms = terms;
    this.#journal = memoryJournal({ entries: before });
    this.left = this.#journal.entries;
    for (const entry of before) this.#tally.take(entry);
    this.#config = { ...base, costs: { ...base.costs, hardLimitUsd: terms.hardUsd, warnAtUsd: terms.warnUsd } };
    const world = {
      journal: this.#journal,
      settings: { read: () => Promise.resolve(this.#config) },
      history: { read: () => Promise.resolve({ runs: [], skipped: 0 }) },
      watch: (sight: { readonly type: string; readonly entry?: Entry }) => {
        if (sight.entry) this.#tally.take(sight.entry);
      },
    };
    const desk = asidesOf(world, new QuestionQueue({ ...world, person: this.#person() }), this.#halt);
    this.#budget = new Budget({ world, tally: this.#tally, desk, halt: this.#halt });
  }

  /** What the killed agents had used and nobody had noted. */
  async recount(inFlight: ReadonlyMap<string, number>): Promise<void> {
    for (const [key, costUsd] of inFlight) this.inFlight.set(key, costUsd);
    for (const [key, costUsd] of inFlight) await this.#spend(key, { costUsd }, AbortSignal.abort());
    if (!this.#isDead) this.inFlight.clear();
  }

  async run(): Promise<void> {
    await this.#budget.open();
    const branches = this.#terms.branches.map((dispatches, index) => this.#branch(dispatches, index));
    const errors = (await Promise.allSettled(branches)).flatMap((end) => (end.status === "rejected" ? end.reason : []));
    for (const error of errors) if (!(error instanceof Suspended) && !(error instanceof Failed)) throw error;
    if (!this.#isDead) assert.equal(this.inFlight.size, 0, "nobody is left running");
    this.#assertBound();
  }

  #person(): Person {
    const { raises } = this.#terms;
    const nobody = (): void => undefined;
    return {
      ask: async ({ id, kind }) => {
        if (kind === "input") return String(this.#tally.spent.usd + (raises.shift() ?? 1));
        if (id !== "budget.limit") return "continue";
        return raises.length > 0 ? "raise" : undefined;
      },
      notify: (message) => assert.fail(message),
      status: nobody,
      widget: nobody,
    };
  }

  async #branch(dispatches: readonly (readonly number[])[], branch: number): Promise<void> {
    for (const [index, turns] of dispatches.entries()) {
      const key = `branch-${branch}/dispatch:d${index}#1`;
      while (this.#journal.recall(key)?.settled !== true) await this.#dispatch(key, turns);
    }
  }

  async #dispatch(key: string, turns: readonly number[]): Promise<void> {
    const before = this.inFlight.size;
    const ticket = await this.#budget.admit(key, { role: `role-${key.at(-3)}`, difficulty: null, model: null });
    if (this.inFlight.size < before) this.seen.waited++;
    try {
      if (this.#isDead || ticket.signal.aborted) return;
      assert.equal(reached(this.#limits(), this.#tally.spent), undefined, "nothing starts at or above the limit");
      this.#assertBound();
      this.#bound = undefined;
      this.inFlight.set(key, turns[0] ?? 0);
      const tries = (this.#journal.recall(key)?.tries ?? 0) + 1;
      await this.#append({ type: "begin", key, request: request(key), tries, place: "tree" });
      const isDone = await this.#work(key, turns, ticket);
      if (isDone && !this.#isDead)
        await this.#append({ type: "settle", key, outcome: { model: "a/b", durationMs: 1 } });
    } finally {
      if (!this.#isDead) this.inFlight.delete(key);
      ticket.release();
    }
  }

  /** Plays the turns, until the agent is stopped: then the turn it was at is paid for as well. */
  async #work(key: string, turns: readonly number[], ticket: Awaited<ReturnType<Budget["admit"]>>): Promise<boolean> {
    for (const [index, costUsd] of turns.entries()) {
      await this.#pass();
      if (this.#isDead) return false;
      const wasStopped = await this.#spend(key, { costUsd, next: turns[index + 1] }, ticket.signal);
      if (wasStopped || (ticket.signal.aborted && !this.#terms.isEager)) {
        this.seen.stopped++;
        return false;
      }
    }
    return true;
  }

  /** The turn after this one begins at once; an agent that is not eager is stopped before it does. Says if it was stopped. */
  async #spend(key: string, { costUsd, next = 0 }: Turn, signal: AbortSignal): Promise<boolean> {
    const note = { type: "usage", model: "a/b", usage: { ...noUsage, costUsd } } as const;
    const entry = await this.#journal.append({ type: "note", key, note }, { sync: false });
    if (this.#isDead) return true;
    const wasStopped = signal.aborted;
    this.#tally.take(entry);
    const isOver = reached(this.#limits(), this.#tally.spent) !== undefined;
    this.inFlight.set(key, wasStopped || (isOver && !this.#terms.isEager) ? 0 : next);
    if (isOver) this.#watchLimit();
    if (++this.#turns >= this.#terms.killAfter) this.#kill();
    return wasStopped;
  }

  #kill(): void {
    this.seen.killed++;
    this.left = [...this.#journal.entries];
    this.#isDead = true;
    this.#halt.stop("interrupted");
  }

  /** When a limit is reached, all that is still to come is the turn that each running agent is at. */
  #watchLimit(): void {
    if (this.#bound !== undefined) return;
    this.seen.over++;
    const coming = [...this.inFlight.values()].reduce((sum, turn) => sum + turn, 0);
    this.#bound = this.#tally.spent.usd + coming;
  }

  #assertBound(): void {
    if (this.#bound !== undefined && !this.#isDead) assert.ok(this.#tally.spent.usd <= this.#bound);
  }

  #limits() {
    return raised(limitsOf(this.#config), this.#tally.view.raised);
  }

  async #append(body: EntryBody): Promise<void> {
    const entry = await this.#journal.append(body, { sync: false });
    this.#tally.take(entry);
  }

  async #pass(): Promise<void> {
    const { pace } = this.#terms;
    for (let left = pace[this.#steps++ % pace.length] ?? 0; left > 0; left--) await Promise.resolve();
  }
}

function request(key: string): DispatchRequest {
  return { do: "dispatch", name: key, role: "role", prompt: "", access: "read" };
}
