// Asks the person, one question at a time: on disk before it is shown, and so is its answer before it is given back. An
// answer may come from the dialog or from another process; either way it is checked against the question first.

import { type PlaceId, startPlace } from "../../core/flow/flow.ts";
import { type Answered, AnsweredElsewhere, type Question, readAnswer, readAnswerBy } from "../../core/flow/question.ts";
import { oneLine } from "../../core/text/format.ts";
import type { Person } from "../../ports/person.ts";
import type { InboxMessage, InboxReply } from "../../ports/runs.ts";
import { type Halt, Suspended } from "../drive/halt.ts";
import { append, type Recording, settle } from "../drive/recorder.ts";

/** An answer that was given before its question is asked: it is used once, then the person is asked. */
export interface Ahead extends Answered {
  readonly question: string;
}

interface Open {
  readonly question: Question;
  /** When it was first asked. */
  readonly since: number;
  readonly answer: (said: Answered) => void;
  /** Resolves with the answer that is on disk; undefined when none came to be. */
  readonly settled: Promise<string | undefined>;
}

/** Who asks: which branch of the run, where it is at work, and what stops it. */
export interface AskedBy {
  readonly order: readonly number[];
  readonly place: PlaceId;
  readonly halt: Halt;
}

/** Asked beside the flow. */
export const beside = { order: [], place: startPlace } as const;

export class QuestionQueue {
  readonly #world: Recording & { readonly person: Person };
  #ahead: Ahead | undefined;
  #open: Open | undefined;
  #busy = false;
  readonly #waiting: { readonly order: readonly number[]; readonly go: () => void }[] = [];

  constructor(world: Recording & { readonly person: Person }, ahead?: Ahead) {
    this.#world = world;
    this.#ahead = ahead;
  }

  /** The answer under this key: the journal's, or the person's. Throws Suspended when the question was closed or the run is halting. */
  async ask(key: string, question: Question, { order, place, halt }: AskedBy): Promise<string> {
    const known = this.#world.journal.recall(key);
    // The journal settles a question with the answer's text.
    if (known?.settled) return known.outcome as string;
    // A question that waits is shown again, not begun again.
    const begun =
      known === undefined
        ? await append(this.#world, { type: "begin", key, request: { do: "ask", question }, tries: 1, place })
        : undefined;
    await this.#turn(order);
    const onDisk = Promise.withResolvers<string | undefined>();
    try {
      const { answer, by } = await this.#show({ question, since: begun?.at ?? 0, settled: onDisk.promise }, halt);
      await settle(this.#world, key, answer, by);
      onDisk.resolve(answer);
      return answer;
    } finally {
      onDisk.resolve(undefined);
      this.#pass();
    }
  }

  /** Takes an answer from another process. The receipt says whether it counted, and comes when it is on disk. */
  async hear(message: InboxMessage & { readonly kind: "answer" }): Promise<InboxReply> {
    const open = this.#open;
    if (open === undefined) {
      return { ok: false, text: "Nothing is being asked right now. `superteam status` shows where the run stands." };
    }
    if (message.question !== null && message.question !== open.question.id) {
      return { ok: false, text: `The question being asked is ${open.question.id}, not ${message.question}.` };
    }
    const { by = "person", at = open.since } = message;
    if (at < open.since) {
      const { id, title } = open.question;
      return {
        ok: false,
        text: `Not answered: another question has come up since, ${id} (${oneLine(title)}). Look at it first: superteam status`,
      };
    }
    const reading = readAnswerBy(by, open.question, message.said);
    if (!reading.ok) return { ok: false, text: reading.problem };
    open.answer({ answer: reading.answer, by });
    const settled = await open.settled;
    if (settled === reading.answer) return { ok: true, text: `Answered ${open.question.id}: ${settled}` };
    const why =
      settled === undefined ? "The run stopped before the answer was recorded" : `It was already answered: ${settled}`;
    return { ok: false, text: `${why}. superteam status shows where the run stands.` };
  }

  async #show(asked: Omit<Open, "answer">, halt: Halt): Promise<Answered> {
    const { question } = asked;
    for (;;) {
      halt.check();
      const said = this.#given(question.id) ?? (await this.#present(asked, halt));
      const reading = readAnswer(question, said.answer);
      if (reading.ok) return { answer: reading.answer, by: said.by };
      this.#world.person.notify(reading.problem, "warning");
    }
  }

  #given(id: string): Answered | undefined {
    const ahead = this.#ahead;
    if (ahead?.question !== id) return undefined;
    this.#ahead = undefined;
    return ahead;
  }

  async #present(asked: Omit<Open, "answer">, halt: Halt): Promise<Answered> {
    const elsewhere = Promise.withResolvers<Answered>();
    const away = new AbortController();
    this.#open = { ...asked, answer: elsewhere.resolve };
    try {
      const dialog = this.#world.person.ask(asked.question, AbortSignal.any([away.signal, halt.asked]));
      const said = await Promise.race([dialog.then(whoSaid), elsewhere.promise]);
      if (said === undefined) {
        halt.drain("question");
        throw new Suspended();
      }
      away.abort(new AnsweredElsewhere(said.answer));
      await dialog;
      return said;
    } finally {
      this.#open = undefined;
    }
  }

  async #turn(order: readonly number[]): Promise<void> {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const at = this.#waiting.findIndex((other) => before(order, other.order));
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { order, go });
    if (!this.#busy) this.#pass();
    await promise;
  }

  /** Hands the person's attention to the branch that comes first, or gives it up. */
  #pass(): void {
    const next = this.#waiting.shift();
    this.#busy = next !== undefined;
    next?.go();
  }
}

/** A plain text is the person's own word. */
const whoSaid = (answer: string | Answered | undefined): Answered | undefined =>
  typeof answer === "string" ? { answer, by: "person" } : answer;

function before(left: readonly number[], right: readonly number[]): boolean {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
