// Writes the latest of many values without writing each: the first at once, later ones at most once per interval, and the
// last always comes to be written. Writes never overlap. What is large is written less often, so that a long run with a long
// file writes no more in a minute than a short one.

import type { Latest, Warn } from "../../ports/documents.ts";
import { reasonOf } from "../../ports/failure.ts";

export interface LatestWriterOptions<T> {
  readonly everyMs: number;
  /** Gives how many bytes were written. What comes `soon` may be lost in a power cut: there will be a later one. */
  readonly put: (value: T, when: "soon" | "now") => Promise<number>;
  /** Told of an update that could not be written. */
  readonly trouble: Warn;
}

export interface LatestWriter<T> extends Latest<T> {
  /** Drops what is pending, and does this after whatever is being written. */
  drop(then: () => Promise<void>): Promise<void>;
}

const smallBytes = 4096;

/** How long to wait after so many bytes. */
export function pauseAfter(bytes: number, everyMs: number): number {
  return everyMs * Math.max(1, bytes / smallBytes);
}

export function latestWriter<T>({ everyMs, put, trouble }: LatestWriterOptions<T>): LatestWriter<T> {
  let pending: { readonly value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let turns: Promise<unknown> = Promise.resolve();
  /** One after the other, also after one that failed. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const turn = turns.then(act);
    turns = turn.catch(() => undefined);
    return turn;
  };
  const putOne = async (value: T, when: "soon" | "now"): Promise<void> => {
    const startedAt = performance.now();
    nextAt = startedAt + everyMs;
    nextAt = startedAt + pauseAfter(await put(value, when), everyMs);
  };
  const putPending = async (): Promise<void> => {
    const latest = pending;
    pending = undefined;
    if (latest) await putOne(latest.value, "soon");
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
      timer ??= setTimeout(soon, Math.max(0, nextAt - performance.now()));
    },
    write: (value) => drop(() => putOne(value, "now")),
    drop,
  };
}
