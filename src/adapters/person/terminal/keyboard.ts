// Who has the keys. Raw mode is on exactly while somebody listens, and it is off again at the end of the process, come
// what may. The latest listener has the keys alone: a dialog takes them from the run that goes on behind it, and what
// was typed before a dialog opened can not answer it.

import type { ReadStream } from "node:tty";

export interface Listener {
  hear(keys: string): void;
  /** The terminal is gone: no key will come any more. */
  gone(): void;
  /** Whether waiting for a key keeps the process alive. */
  readonly waits: boolean;
}

export interface Keyboard {
  /** Gives the keys to a listener until it lets go. */
  listen(listener: Listener): () => void;
  /** Leaves the terminal to another program until it is taken back. */
  lend(): () => void;
}

export function keyboard(input: ReadStream): Keyboard {
  const listeners: Listener[] = [];
  let lent = 0;
  let attached = false;

  const hear = (chunk: Buffer | string): void => listeners.at(-1)?.hear(chunk.toString());
  const gone = (): void => {
    for (const listener of [...listeners].reverse()) listener.gone();
  };
  const attach = (): void => {
    attached = true;
    input.setRawMode(true);
    // One decoder for the stream: a character cut between two reads comes out whole.
    input.setEncoding("utf8");
    input.on("data", hear).on("end", gone).on("error", gone);
    process.on("SIGCONT", rawAgain);
    process.on("exit", detach);
    input.resume();
  };
  const detach = (): void => {
    attached = false;
    input.off("data", hear).off("end", gone).off("error", gone);
    process.off("SIGCONT", rawAgain);
    process.off("exit", detach);
    input.pause();
    if (!input.destroyed) input.setRawMode(false);
  };
  /** A shell that stopped us and lets us go on has set its own mode meanwhile. */
  const rawAgain = (): void => {
    input.setRawMode(false);
    input.setRawMode(true);
  };
  const settle = (): void => {
    const wanted = listeners.length > 0 && lent === 0;
    if (wanted !== attached) (wanted ? attach : detach)();
    if (listeners.some((listener) => listener.waits)) input.ref();
    else input.unref();
  };

  return {
    listen(listener) {
      listeners.push(listener);
      settle();
      return () => {
        const at = listeners.indexOf(listener);
        if (at < 0) return;
        listeners.splice(at, 1);
        settle();
      };
    },
    lend() {
      lent++;
      settle();
      let back = false;
      return () => {
        if (back) return;
        back = true;
        lent--;
        settle();
      };
    },
  };
}
