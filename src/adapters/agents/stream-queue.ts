// The chunks of a stream that wait to be read, in order, with a signal for the reader. A slow reader slows the stream down.

import type { Readable } from "node:stream";

export type StreamItem =
  | { readonly type: "bytes"; readonly bytes: Buffer }
  | { readonly type: "nudge" | "end" | "late" };

export function streamQueueOf(stream: Readable) {
  const waiting: StreamItem[] = [];
  let deliver: ((item: StreamItem) => void) | undefined;
  const put = (item: StreamItem): void => {
    if (deliver === undefined) waiting.push(item);
    else deliver(item);
    if (waiting.length > crowded) stream.pause();
  };
  stream.on("data", (bytes: Buffer) => put({ type: "bytes", bytes }));
  // Not "end": a stream that was destroyed never says it.
  stream.once("close", () => put({ type: "end" }));
  return {
    /** Wakes the reader. */
    nudge: (): void => put({ type: "nudge" }),
    /** The next item, or `late` when there is none within the time. */
    next(waitMs: number): Promise<StreamItem> {
      const first = waiting.shift();
      if (waiting.length === 0) stream.resume();
      if (first !== undefined) return Promise.resolve(first);
      return new Promise((resolve) => {
        const finish = (item: StreamItem): void => {
          clearTimeout(timer);
          deliver = undefined;
          resolve(item);
        };
        const timer = setTimeout(() => finish({ type: "late" }), Math.min(Math.max(waitMs, 0), longest));
        deliver = finish;
      });
    },
  };
}

/** Chunks of up to 64 KB that may wait. */
const crowded = 16;
/** Timers wrap around beyond this. */
const longest = 2 ** 31 - 1;
