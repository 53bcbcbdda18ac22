// Writes records to the end of a file, in the order they come; one that asked for it is on disk when it resolves (E1). What is queued while a write or a sync runs goes out
// together, in one write and one sync. After a failure nothing more is written, and later appends fail with the same reason.

import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OutsideFailure } from "../../ports/failure.ts";
import { syncFolder } from "../files/atomic.ts";
import type { Blob } from "./blobs.ts";
import { disturbed, unwritable, writing } from "./failure.ts";

export interface Appending {
  readonly line: string;
  /** Synced before the line is written. */
  readonly blobs: readonly Blob[];
  readonly sync: boolean;
  /** Called in order, as soon as the line has been written, and while it is synced. Must not throw. */
  readonly written: () => void;
}

export interface Target {
  readonly file: string;
  /** Opened to append. */
  readonly handle: Pick<FileHandle, "datasync" | "truncate" | "close">;
  /**
   * Writes to its end from there on, and says how many bytes. At once: what is written lies in memory, and a record that
   * waited for its turn took ten times as long.
   */
  readonly write: (bytes: Buffer, at: number) => number;
  /** How large the file is now; undefined when another one, or none, is in its place. At once: waiting for its turn would cost a tenth of a sync. */
  readonly sizeNow: () => number | undefined;
  /** The size of the file; nobody else changes it. */
  readonly size: number;
  readonly blobFolder: string;
  /** Blobs that are known to be whole on disk. */
  readonly knownBlobs: ReadonlySet<string>;
}

interface Waiting extends Appending {
  readonly done: () => void;
  readonly fail: (failure: OutsideFailure) => void;
}

export class Appender {
  readonly #target: Target;
  readonly #knownBlobs: Set<string>;
  #size: number;
  #queue: Waiting[] = [];
  #busy: Promise<void> | undefined;
  #failure: OutsideFailure | undefined;
  #closing: Promise<void> | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#size = target.size;
    this.#knownBlobs = new Set(target.knownBlobs);
  }

  append(appending: Appending): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closing !== undefined) return Promise.reject(closed(this.#target.file));
    return new Promise((done, fail) => {
      this.#queue.push({ ...appending, done, fail });
      this.#busy ??= this.#drain();
    });
  }

  /** Waits for what is queued, makes all of it durable and lets go of the file. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#flush(batch).catch((cause) => this.#stop(cause, batch));
    }
    this.#busy = undefined;
  }

  async #flush(batch: readonly Waiting[]): Promise<void> {
    await this.#storeBlobs(batch.flatMap((waiting) => waiting.blobs));
    await this.#write(Buffer.from(batch.map((waiting) => waiting.line).join("")));
    const syncing = batch.some((waiting) => waiting.sync) ? this.#target.handle.datasync() : undefined;
    // What is done meanwhile may take longer than the sync, which must not fail unheard.
    syncing?.catch(() => undefined);
    for (const waiting of batch) waiting.written();
    for (const waiting of batch) if (!waiting.sync) waiting.done();
    if (syncing === undefined) return;
    await syncing;
    this.#verify();
    for (const waiting of batch) if (waiting.sync) waiting.done();
  }

  async #storeBlobs(blobs: readonly Blob[]): Promise<void> {
    const fresh = new Map(blobs.filter(({ name }) => !this.#knownBlobs.has(name)).map((blob) => [blob.name, blob]));
    if (fresh.size === 0) return;
    await storeBlobs(this.#target.blobFolder, fresh.values());
    for (const name of fresh.keys()) this.#knownBlobs.add(name);
  }

  /** All of the bytes or none: what was half written is cut off again, if that can be done. */
  async #write(bytes: Buffer): Promise<void> {
    const { file, handle, write } = this.#target;
    try {
      for (let at = 0; at < bytes.length; ) at += write(bytes, at);
    } catch (cause) {
      // When this fails too, half a line stays there: the next open moves it aside.
      await handle.truncate(this.#size).catch(() => undefined);
      throw unwritable(file, cause);
    }
    this.#size += bytes.length;
  }

  /** What is synced into a file that was removed is on no disk (E1). */
  #verify(): void {
    const { file, sizeNow } = this.#target;
    const size = sizeNow();
    if (size === undefined) throw disturbed(file, "was removed or replaced");
    if (size !== this.#size) throw disturbed(file, "was written to or cut by another process");
  }

  #stop(cause: unknown, batch: readonly Waiting[]): void {
    const failure = unwritable(this.#target.file, cause);
    for (const waiting of [...batch, ...this.#queue]) waiting.fail(failure);
    this.#queue = [];
    this.#failure = failure;
  }

  async #finish(): Promise<void> {
    const { file, handle } = this.#target;
    await this.#busy;
    try {
      if (this.#failure) return;
      await handle.datasync();
      this.#verify();
    } catch (cause) {
      throw unwritable(file, cause);
    } finally {
      await handle.close();
    }
  }
}

function closed(file: string): OutsideFailure {
  return new OutsideFailure("closed", `${file} is closed: nothing can be appended to it.`);
}

/**
 * Writes and syncs blobs. A blob that no record names yet may be left half written by a crash, so one that is not
 * known to be whole is written again, in place: nobody reads it before its record is there.
 */
async function storeBlobs(folder: string, blobs: Iterable<Blob>): Promise<void> {
  for (const { name, bytes } of blobs) {
    const file = join(folder, name);
    await writing(file, writeFile(file, bytes, { flush: true }));
  }
  await writing(folder, syncFolder(folder));
}
