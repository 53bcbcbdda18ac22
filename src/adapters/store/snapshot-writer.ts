// Keeps the snapshot file up to date without writing it at every change: at most every 250 ms, and the last value always.

import type { Clock } from "../../ports/clock.ts";
import type { SnapshotFile, Warn } from "../../ports/documents.ts";
import { LatestWriter } from "../files/latest-writer.ts";
import { readSnapshot, removeSnapshot, writeSnapshot } from "./snapshot.ts";

export interface SnapshotWriterOptions {
  /** The working tree. */
  readonly root: string;
  readonly clock: Pick<Clock, "now">;
  readonly everyMs?: number;
  readonly trouble: Warn;
}

export function snapshotWriter({ root, clock, everyMs = 250, trouble }: SnapshotWriterOptions): SnapshotFile {
  let looked = false;
  /** What an earlier life left there is looked at before it is replaced: a damaged one is kept. */
  const lookOnce = async (): Promise<void> => {
    if (looked) return;
    const reading = await readSnapshot(root, clock.now());
    looked = true;
    if (reading.found === "damaged") trouble(reading.message);
  };
  const put = async (value: unknown): Promise<void> => {
    await lookOnce();
    await writeSnapshot(root, value);
  };
  const writer = new LatestWriter({ everyMs, put, trouble });
  return {
    update: (value) => writer.update(value),
    write: (value) => writer.write(value),
    remove: () => writer.drop(() => removeSnapshot(root)),
  };
}
