// Calls a person who may be looking elsewhere: when a question has been open for a moment, and when a run ends. A person who answers at once is
// not disturbed.

import { oneLine } from "../../core/text/format.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Person } from "../../ports/person.ts";

/** How long a question may stand before it is called out. */
const quietMs = 4_000;

export interface Calling {
  readonly clock: Clock;
  /** Runs the person's own command, if they have one. */
  readonly run: (message: string) => Promise<void>;
}

export class Attention {
  readonly #person: Person;
  readonly #calling: Calling;

  constructor(person: Person, calling: Calling) {
    this.#person = person;
    this.#calling = calling;
  }

  /** The same person, who is called when a question stays open. */
  person(): Person {
    return {
      ...this.#person,
      ask: async (question, signal) => {
        const answered = new AbortController();
        void this.#callLater(`A question waits: ${oneLine(question.title)}`, answered.signal);
        try {
          return await this.#person.ask(question, signal);
        } finally {
          answered.abort();
        }
      },
    };
  }

  /** Whether somebody sees a screen: a question that was left there was left by them. */
  get isWatched(): boolean {
    return this.#person.attention !== undefined;
  }

  async call(message: string): Promise<void> {
    this.#person.attention?.(message);
    await this.#calling.run(message).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      this.#person.notify(`The command in "notify" failed: ${oneLine(why, 200)}`, "warning");
    });
  }

  async #callLater(message: string, answered: AbortSignal): Promise<void> {
    await this.#calling.clock.sleep(quietMs, answered);
    if (!answered.aborted) await this.call(message);
  }
}
