// Says when an agent may start, and stops those that run when the limit is reached. Its questions are asked beside the flow,
// journaled, and bound to the limit they are about, so that a resume neither forgets nor repeats them.
//
// How far beyond the limit it can get is what M2 says (docs/promises.md): a turn is paid for by the time it is known.

import { aboutRun, asideQuestion } from "../../core/flow/keys.ts";
import { type Answered, type Question, withdrawn } from "../../core/flow/question.ts";
import type { Checkpoint, Limits } from "../../core/money/budget.ts";
import { admission, checkpoints, impliedBy, isSame, limitsOf, mustStop, raised } from "../../core/money/budget.ts";
import { amountQuestion, checkpointQuestion } from "../../core/money/budget-questions.ts";
import type { Sample } from "../../core/money/experience.ts";
import { type Kind, reservationUsd } from "../../core/money/reservation.ts";
import { type FailureActions, respondTo } from "../../core/run/failure-action.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Asides } from "../asking/asides.ts";
import { type Halt, Suspended } from "../drive/halt.ts";
import { append } from "../drive/recorder.ts";
import type { World } from "../drive/world.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import type { Tally } from "./tally.ts";

export interface BudgetParts {
  readonly world: Pick<World, "journal" | "settings" | "history" | "watch">;
  readonly tally: Tally;
  readonly desk: Asides;
  readonly halt: Halt;
}

/** A dispatch that was admitted. It holds its reservation until it is released. */
export interface Ticket {
  /** Aborted when the limit is reached. */
  readonly signal: AbortSignal;
  readonly expectedUsd: number;
  readonly ledger: Bookkeeper;
  release(): void;
}

interface Running {
  readonly stop: AbortController;
  leftUsd: number;
}

export class Budget {
  readonly #ledger: Bookkeeper;
  readonly #parts: BudgetParts;
  readonly #running = new Map<string, Running>();
  #limits: Limits | undefined;
  #actions: FailureActions = {};
  #past: Promise<ReadonlyMap<string, readonly Sample[]>> | undefined;
  /** Dispatches are admitted one by one: two could each fit, and both not. */
  #turn: Promise<unknown> = Promise.resolve();
  #released = Promise.withResolvers<void>();

  constructor(parts: BudgetParts) {
    this.#parts = parts;
    this.#ledger = new Bookkeeper(parts.tally, parts.desk);
    parts.tally.listen((key, costUsd) => this.#count(key, costUsd));
  }

  /** Says which limits hold, and takes back questions of an earlier life that no longer arise, such as after the configured limit was raised. */
  async open(): Promise<void> {
    const { tally, desk } = this.#parts;
    const limits = await this.#read();
    if (!tally.isAsking) return;
    const due = checkpoints(limits, tally.spent);
    for (const [id, about] of questions) {
      const point = due.find((checkpoint) => checkpoint.id === about);
      await desk.withdraw(id, point ? this.#mark(point) : "");
    }
  }

  /** Resolves when the dispatch with this key may start. Throws Suspended when the run is halted instead. */
  admit(key: string, kind: Kind): Promise<Ticket> {
    const admitted = this.#turn.then(() => this.#admitted(key, kind));
    // Only the caller learns how it ended.
    this.#turn = admitted.catch(() => undefined);
    return admitted;
  }

  async #admitted(key: string, kind: Kind): Promise<Ticket> {
    const { tally, halt } = this.#parts;
    const expectedUsd = await this.#expected(kind);
    for (let isFresh = false; ; isFresh = true) {
      halt.check();
      const limits =
        isFresh || this.#limits === undefined ? await this.#read() : raised(this.#limits, tally.view.raised);
      this.#limits = limits;
      this.#stopAtLimit();
      const claims = { running: this.#running.size, reservedUsd: this.#reservedUsd(), expectedUsd };
      const verdict = admission(limits, tally.spent, claims);
      const due = checkpoints(limits, tally.spent).filter((point) => !this.#isPassed(point));
      // Between this look at the ledger and the ticket nothing else may happen.
      if (verdict === "go" && due.length === 0) return this.#ticket(key, expectedUsd);
      // Before anybody waits or is asked, the configuration is read again: the limit may have been raised meanwhile.
      if (isFresh) await (verdict === "wait" ? this.#oneDone() : this.#ask(due, limits));
    }
  }

  /** Records the limits of the current configuration, so that views show what applies. */
  async #read(): Promise<Limits> {
    const { world, tally } = this.#parts;
    const config = await world.settings.read();
    const limits = limitsOf(config);
    this.#actions = config.failureActions;
    const last = world.journal.entries.findLast((entry) => entry.type === "limits")?.limits;
    if (last === undefined || !isSame(last, limits)) {
      await append(world, { type: "limits", limits });
    }
    return raised(limits, tally.view.raised);
  }

  /** This run's own dispatches are believed before those of others. */
  async #expected(kind: Kind): Promise<number> {
    const own = this.#parts.tally.view.spend.samples.get(kind.role) ?? [];
    if (own.length > 0) return reservationUsd(kind, own);
    this.#past ??= this.#readPast();
    return reservationUsd(kind, (await this.#past).get(kind.role) ?? []);
  }

  async #readPast(): Promise<ReadonlyMap<string, readonly Sample[]>> {
    const { world } = this.#parts;
    try {
      const { runs } = await world.history.read();
      const samples = runs.slice(-runsUsed).flatMap((run) => run.samples);
      return Map.groupBy(samples, ({ role }) => role);
    } catch (error) {
      // It only feeds estimates.
      const text = `The history of past runs cannot be read and is ignored: ${reasonOf(error)}`;
      world.watch({ type: "told", text });
      return new Map();
    }
  }

  #reservedUsd(): number {
    return [...this.#running.values()].reduce((sum, { leftUsd }) => sum + leftUsd, 0);
  }

  #ticket(key: string, expectedUsd: number): Ticket {
    const stop = new AbortController();
    this.#running.set(key, { stop, leftUsd: expectedUsd });
    return {
      signal: stop.signal,
      expectedUsd,
      ledger: this.#ledger,
      release: () => {
        this.#running.delete(key);
        this.#released.resolve();
        this.#released = Promise.withResolvers();
      },
    };
  }

  #count(key: string, costUsd: number): void {
    const running = this.#running.get(key);
    if (running) running.leftUsd = Math.max(0, running.leftUsd - costUsd);
    this.#stopAtLimit();
  }

  #stopAtLimit(): void {
    const { world, tally } = this.#parts;
    const going = [...this.#running.values()].filter(({ stop }) => !stop.signal.aborted);
    if (going.length === 0 || !this.#limits || !mustStop(this.#limits, tally.spent)) return;
    for (const { stop } of going) stop.abort();
    const agents = going.length === 1 ? "The running agent is" : `${going.length} agents are`;
    world.watch({ type: "told", text: `The budget is used up. ${agents} stopped.` });
  }

  /** A halt ends the wait; the caller checks for it. */
  async #oneDone(): Promise<void> {
    const { asked } = this.#parts.halt;
    const wake = (): void => this.#released.resolve();
    asked.addEventListener("abort", wake, { once: true });
    if (!asked.aborted) await this.#released.promise;
    asked.removeEventListener("abort", wake);
  }

  /** Asks about the gravest of these checkpoints; its answer holds for the lesser ones. */
  async #ask([first, ...lesser]: readonly Checkpoint[], limits: Limits): Promise<void> {
    const { tally, desk, halt } = this.#parts;
    if (first === undefined) return;
    const account = { spent: tally.spent, limits, headway: tally.headway };
    const mark = this.#mark(first);
    const question = checkpointQuestion(first, account);
    const { answer, by } = await desk.ask(question, mark, await this.#policy(first, question, mark));
    if (answer === "abort") {
      halt.stop("aborted", "the person ended the run over its budget");
      throw new Suspended();
    }
    for (const point of [...lesser, ...impliedBy(first, limits, tally.spent)]) {
      await desk.ask(checkpointQuestion(point, account), this.#mark(point), { answer: "continue", by });
    }
    if (answer === "raise") await desk.ask(amountQuestion(first.unit, account), mark);
  }

  /** The answer that the configuration gives. At the limit it is always the person's. */
  async #policy({ id }: Checkpoint, { message }: Question, mark: string): Promise<Answered | undefined> {
    const response = respondTo({ matter: "budget-threshold", retries: 0, left: 0 }, this.#actions);
    if (id === "budget.limit" || response.do !== "continue") return undefined;
    if (response.isTold) await this.#parts.desk.warn(message, `${id}-${mark}`);
    return { answer: "continue", by: "policy" };
  }

  /** A limit is passed by raising it, which makes it another one. */
  #isPassed(point: Checkpoint): boolean {
    return point.id !== "budget.limit" && this.#outcome(point.id, this.#mark(point)) === "continue";
  }

  /** What was asked and taken back is asked again when it arises again: all of it, or a question would come without its way out. */
  #mark({ id, mark }: Checkpoint): string {
    const ids = questions.filter(([, about]) => about === id).map(([each]) => each);
    for (let time = 1; ; time++) {
      const now = time === 1 ? mark : `${mark}+${time}`;
      if (!ids.some((each) => this.#outcome(each, now) === withdrawn)) return now;
    }
  }

  #outcome(id: string, mark: string): unknown {
    return this.#parts.world.journal.recall(asideQuestion(aboutRun, id, mark))?.outcome;
  }
}

/** Older runs say less about the next dispatch. */
const runsUsed = 50;

/** Each question, and the checkpoint it belongs to. */
const questions: readonly (readonly [id: string, about: Checkpoint["id"]])[] = [
  ["budget.warn", "budget.warn"],
  ["budget.near", "budget.near"],
  ["budget.limit", "budget.limit"],
  ["budget.amount", "budget.limit"],
];
