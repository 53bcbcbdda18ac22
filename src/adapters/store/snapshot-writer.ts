// Keeps the snapshot file up to date without writing it at every change: the first change is written at once, later ones
// at most every 250 ms, and the last value always comes to be written. Writes never overlap.

import type { Clock } from "../../ports/world.ts";
import { reasonOf } from "./failure.ts";
import { readSnapshot, removeSnapshot, writeSnapshot } from "./snapshot.ts";

export interface SnapshotWriterOptions {
  /** The working tree. */
  readonly root: string;
  readonly clock: Clock;
  readonly everyMs?: number;
  /** Told of a damaged snapshot that was moved aside, and of a write that failed: no reason to stop a run. */
  readonly trouble: (message: string) => void;
}

export interface SnapshotWriter {
  /** Has the value written soon, unless a later one comes first. */
  update(value: unknown): void;
  /** Writes the value now; it is on disk when this resolves. */
  write(value: unknown): Promise<void>;
  /** Removes the file, after whatever is being written; what is pending is dropped. */
  remove(): Promise<void>;
}

export function snapshotWriter(options: SnapshotWriterOptions): SnapshotWriter {
  return new ThrottledWriter(options);
}

class ThrottledWriter implements SnapshotWriter {
  readonly #options: SnapshotWriterOptions;
  #pending: { readonly value: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #turns: Promise<void> = Promise.resolve();
  #looked = false;

  constructor(options: SnapshotWriterOptions) {
    this.#options = options;
  }

  update(value: unknown): void {
    this.#pending = { value };
    const { everyMs = 250, trouble } = this.#options;
    const wait = Math.max(0, this.#writtenAt + everyMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#inTurn(() => this.#writePending()).catch((cause) => trouble(reasonOf(cause)));
    }, wait);
  }

  async write(value: unknown): Promise<void> {
    this.#cancelTimer();
    this.#pending = { value };
    await this.#inTurn(() => this.#writePending());
  }

  async remove(): Promise<void> {
    this.#cancelTimer();
    this.#pending = undefined;
    await this.#inTurn(() => removeSnapshot(this.#options.root));
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

  async #writePending(): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    this.#writtenAt = performance.now();
    try {
      await this.#lookOnce();
      await writeSnapshot(this.#options.root, pending.value);
    } catch (cause) {
      this.#pending ??= pending;
      throw cause;
    }
  }

  /** What an earlier life left there is looked at before it is replaced: a damaged one is kept. */
  async #lookOnce(): Promise<void> {
    if (this.#looked) return;
    const reading = await readSnapshot(this.#options.root, this.#options.clock.now());
    this.#looked = true;
    if (reading.found === "damaged") this.#options.trouble(reading.message);
  }
}
