// Writes the latest of many values without writing each: the first at once, later ones at most once per interval, and the
// last always comes to be written. Writes never overlap.

import type { Latest } from "../../ports/documents.ts";
import { reasonOf } from "../../ports/failure.ts";

export interface LatestWriterOptions<T> {
  readonly everyMs: number;
  readonly put: (value: T) => Promise<void>;
  /** Told of an update that could not be written. */
  readonly trouble: (message: string) => void;
}

export class LatestWriter<T> implements Latest<T> {
  readonly #options: LatestWriterOptions<T>;
  #pending: { readonly value: T } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #turns: Promise<void> = Promise.resolve();

  constructor(options: LatestWriterOptions<T>) {
    this.#options = options;
  }

  /** Has the value written soon, unless a later one comes first. */
  update(value: T): void {
    this.#pending = { value };
    const { everyMs, trouble } = this.#options;
    const wait = Math.max(0, this.#writtenAt + everyMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#inTurn(() => this.#putPending()).catch((cause) => trouble(reasonOf(cause)));
    }, wait);
  }

  /** Writes the value now; it is on disk when this resolves. */
  async write(value: T): Promise<void> {
    this.#cancelTimer();
    this.#pending = { value };
    await this.#inTurn(() => this.#putPending());
  }

  /** Drops what is pending, and does this after whatever is being written. */
  async drop(then: () => Promise<void>): Promise<void> {
    this.#cancelTimer();
    this.#pending = undefined;
    await this.#inTurn(then);
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** One after the other, also after one that failed. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turns.then(act);
    this.#turns = turn.catch(() => undefined);
    return turn;
  }

  async #putPending(): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    this.#writtenAt = performance.now();
    try {
      await this.#options.put(pending.value);
    } catch (cause) {
      this.#pending ??= pending;
      throw cause;
    }
  }
}
