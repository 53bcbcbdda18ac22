// Messages from other processes to the live runner: the runner's side. Each is handed over once, those that wait
// already first.

import { mkdir, readdir } from "node:fs/promises";
import type { Inbox, InboxMessage } from "../../../ports/runs.ts";
import { readIfPresent, removeIfPresent } from "../../files/present.ts";
import { lookOnChange } from "../../files/watch.ts";
import { idOfMessage, messagePath, parseMessage, writeReceipt } from "./message.ts";

const pollMs = 1000;

export function inboxOf(folder: string): Inbox {
  return {
    listen(hear) {
      const listener = new Listener(folder, hear);
      const start = (): void => listener.start();
      // Where the folder cannot be made there is nothing to hear either; the journal beside it says why.
      mkdir(folder, { recursive: true }).then(start, start);
      return () => listener.stop();
    },
    receipt: (id, receipt) => writeReceipt(folder, id, receipt),
  };
}

/** Hands each message over once: those that wait already first, then new ones as they come. */
class Listener {
  readonly #folder: string;
  readonly #hear: (message: InboxMessage) => void;
  #stopped = false;
  #looking = false;
  #changed = false;
  #stopWatching: (() => void) | undefined;

  constructor(folder: string, hear: (message: InboxMessage) => void) {
    this.#folder = folder;
    this.#hear = hear;
  }

  start(): void {
    if (this.#stopped) return;
    this.#stopWatching = lookOnChange(this.#folder, pollMs, () => this.#look());
    this.#look();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopWatching?.();
  }

  #look(): void {
    this.#changed = true;
    if (this.#looking) return;
    this.#looking = true;
    // A folder that cannot be read now may be readable at the next poll.
    const done = (): void => {
      this.#looking = false;
    };
    this.#takeAll().then(done, done);
  }

  async #takeAll(): Promise<void> {
    while (this.#changed) {
      this.#changed = false;
      const names = (await readdir(this.#folder)).sort();
      for (const id of names.map(idOfMessage)) if (id !== undefined) await this.#deliver(id);
    }
  }

  async #deliver(id: string): Promise<void> {
    // One message that cannot be taken now must not hold up the others.
    const message = await this.#take(id).catch(() => undefined);
    // What goes wrong in the listener is a bug there, and must not end here unseen.
    if (message) queueMicrotask(() => this.#hear(message));
  }

  async #take(id: string): Promise<InboxMessage | undefined> {
    if (this.#stopped) return undefined;
    const file = messagePath(this.#folder, id);
    const text = await readIfPresent(file);
    if (text === undefined || !(await removeIfPresent(file))) return undefined;
    const read = parseMessage(id, text);
    if (read.ok) return read.value;
    const problem = `The message could not be read (${read.why}). Send it again.`;
    await writeReceipt(this.#folder, id, { ok: false, text: problem });
    return undefined;
  }
}
