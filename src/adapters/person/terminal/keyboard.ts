// Who has the keys. Raw mode is on exactly while there is a listener, and it is off again at the end of the process, however it ends. The latest
// listener has the keys alone: a dialog takes them from the run behind it, and what was typed before a dialog opened cannot answer it. Escape is
// the exception: it agrees to nothing, so none is lost.

import type { ReadStream } from "node:tty";

export interface KeyListener {
  hear(keys: string): void;
  /** The terminal is gone: no key will come any more. */
  gone(): void;
  /** Whether waiting for a key keeps the process alive. */
  readonly waits: boolean;
}

export type TerminalKeyboard = ReturnType<typeof keyboard>;

/** When the last key was heard. A process has one terminal, whoever listens to it in turn. */
let lastKeyAt = Number.NEGATIVE_INFINITY;

export function keyboard(input: ReadStream) {
  const listeners: KeyListener[] = [];
  let lent = 0;
  const setRaw = rawMode(input, {
    hear(keys) {
      const listener = listeners.at(-1);
      listener?.hear(keys);
      lastKeyAt = performance.now();
    },
    gone() {
      for (const listener of [...listeners].reverse()) listener.gone();
    },
  });
  const settle = (): void => {
    setRaw(listeners.length > 0 && lent === 0);
    if (listeners.some((listener) => listener.waits)) input.ref();
    else input.unref();
  };
  return {
    /** Gives the keys to a listener until it lets go. */
    listen(listener: KeyListener): () => void {
      listeners.push(listener);
      settle();
      return once(() => {
        listeners.splice(listeners.indexOf(listener), 1);
        settle();
      });
    },
    /** How long no key has been heard. */
    quietMs: () => performance.now() - lastKeyAt,
    /** Puts back keys that came too late for their listener; the next one hears them. */
    putBack(keys: string): void {
      input.unshift(keys);
    },
    /** Leaves the terminal to another program until it is taken back. */
    lend(): () => void {
      lent++;
      settle();
      return once(() => {
        lent--;
        // Its last key was one too.
        lastKeyAt = performance.now();
        settle();
      });
    },
  };
}

/** Reads the terminal key by key while it is on, and leaves it alone while it is off. */
function rawMode(input: ReadStream, to: Pick<KeyListener, "hear" | "gone">): (wanted: boolean) => void {
  const hear = (chunk: Buffer | string): void => to.hear(chunk.toString());
  /** A shell that stopped and continued us has set its own mode in between. */
  const again = (): void => {
    input.setRawMode(false);
    input.setRawMode(true);
  };
  const off = (): void => {
    input.off("data", hear).off("end", to.gone).off("error", to.gone);
    process.off("SIGCONT", again).off("exit", off);
    input.pause();
    if (!input.destroyed) input.setRawMode(false);
  };
  const on = (): void => {
    input.setRawMode(true);
    // One decoder for the stream: a character cut between two reads comes out whole.
    input.setEncoding("utf8");
    input.on("data", hear).on("end", to.gone).on("error", to.gone);
    process.on("SIGCONT", again).on("exit", off);
    input.resume();
  };
  let isOn = false;
  return (wanted) => {
    if (wanted === isOn) return;
    isOn = wanted;
    (wanted ? on : off)();
  };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
