// Writes the latest of many values without writing each: the first at once, later ones at most once per interval, and the
// last always comes to be written. Writes never overlap.

import type { Latest, Warn } from "../../ports/documents.ts";
import { reasonOf } from "../../ports/failure.ts";

export interface LatestWriterOptions<T> {
  readonly everyMs: number;
  readonly put: (value: T) => Promise<void>;
  /** Told of an update that could not be written. */
  readonly trouble: Warn;
}

export interface LatestWriter<T> extends Latest<T> {
  /** Drops what is pending, and does this after whatever is being written. */
  drop(then: () => Promise<void>): Promise<void>;
}

export function latestWriter<T>({ everyMs, put, trouble }: LatestWriterOptions<T>): LatestWriter<T> {
  let pending: { readonly value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let turns: Promise<unknown> = Promise.resolve();
  /** One after the other, also after one that failed. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const turn = turns.then(act);
    turns = turn.catch(() => undefined);
    return turn;
  };
  const putNow = async (value: T): Promise<void> => {
    writtenAt = performance.now();
    await put(value);
  };
  const putPending = async (): Promise<void> => {
    const latest = pending;
    pending = undefined;
    if (latest) await putNow(latest.value);
  };
  const drop = (then: () => Promise<void>): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    pending = undefined;
    return inTurn(then);
  };
  return {
    update(value) {
      pending = { value };
      const soon = (): void => {
        timer = undefined;
        inTurn(putPending).catch((cause) => trouble(reasonOf(cause)));
      };
      timer ??= setTimeout(soon, Math.max(0, writtenAt + everyMs - performance.now()));
    },
    write: (value) => drop(() => putNow(value)),
    drop,
  };
}
