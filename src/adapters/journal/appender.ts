// Writes records to the end of a file, in the order they come. What is queued while a write or a sync runs goes out
// together, in one write and one sync. After a failure nothing more is written, and each later append is told why.

import type { FileHandle } from "node:fs/promises";
import { type Blob, storeBlobs } from "./blobs.ts";
import { disturbed, JournalFailure, unwritable } from "./failure.ts";

export interface Appending {
  readonly line: string;
  /** Written for good before the line. */
  readonly blobs: readonly Blob[];
  readonly sync: boolean;
  /** Called in order, as soon as the line has been written. */
  readonly written: () => void;
}

export interface Appender {
  append(appending: Appending): Promise<void>;
  close(): Promise<void>;
}

export interface Target {
  readonly file: string;
  /** Opened to append. */
  readonly handle: FileHandle;
  /** The size of the file; nobody else changes it. */
  readonly size: number;
  readonly blobFolder: string;
  /** Blobs that are known to be whole on disk. */
  readonly knownBlobs: ReadonlySet<string>;
}

interface Waiting extends Appending {
  readonly done: () => void;
  readonly fail: (failure: JournalFailure) => void;
}

export function newAppender(target: Target): Appender {
  const { file, handle } = target;
  const known = new Set(target.knownBlobs);
  let size = target.size;
  let queue: Waiting[] = [];
  let busy: Promise<void> | undefined;
  let failure: JournalFailure | undefined;
  let closing: Promise<void> | undefined;

  return {
    append(appending) {
      if (failure) return Promise.reject(failure);
      if (closing !== undefined) return Promise.reject(closed(file));
      return new Promise((done, fail) => {
        queue.push({ ...appending, done, fail });
        busy ??= drain();
      });
    },
    close() {
      closing ??= finish();
      return closing;
    },
  };

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      await flush(batch).catch((cause) => stop(cause, batch));
    }
    busy = undefined;
  }

  async function flush(batch: readonly Waiting[]): Promise<void> {
    await storeNew(batch.flatMap((waiting) => waiting.blobs));
    await writeLines(batch);
    for (const waiting of batch) waiting.written();
    for (const waiting of batch) if (!waiting.sync) waiting.done();
    if (!batch.some((waiting) => waiting.sync)) return;
    const [stat] = await Promise.all([handle.stat(), handle.datasync()]);
    if (stat.size !== size || stat.nlink === 0) {
      throw disturbed(file, stat.nlink === 0 ? "was removed" : "was written to or cut by another process");
    }
    for (const waiting of batch) if (waiting.sync) waiting.done();
  }

  async function storeNew(blobs: readonly Blob[]): Promise<void> {
    const fresh = new Map(blobs.filter((blob) => !known.has(blob.name)).map((blob) => [blob.name, blob]));
    if (fresh.size === 0) return;
    await storeBlobs(target.blobFolder, fresh.values());
    for (const name of fresh.keys()) known.add(name);
  }

  /** All lines of the batch or none: what was half written is cut off again, if that can be done. */
  async function writeLines(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map((waiting) => waiting.line).join(""));
    try {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
    } catch (cause) {
      // When this fails too, half a line stays there: the next open moves it aside.
      await handle.truncate(size).catch(() => undefined);
      throw unwritable(file, cause);
    }
    size += bytes.length;
  }

  function stop(cause: unknown, batch: readonly Waiting[]): void {
    failure = unwritable(file, cause);
    for (const waiting of [...batch, ...queue]) waiting.fail(failure);
    queue = [];
  }

  async function finish(): Promise<void> {
    await busy;
    try {
      if (!failure) await handle.datasync();
    } catch (cause) {
      throw unwritable(file, cause);
    } finally {
      await handle.close();
    }
  }
}

function closed(file: string): JournalFailure {
  return new JournalFailure("closed", file, `${file} is closed: nothing can be appended to it.`);
}
