// Escape and Ctrl-C while no dialog is open. A terminal sends Escape as the first byte of every arrow and function
// key, so Escape alone is known only when nothing follows it for a moment.

import type { KeyListener } from "./keyboard.ts";

export interface KeyHandlers {
  readonly onEscape: () => void;
  readonly onInterrupt: () => void;
}

/** How long the rest of a key may be under way. */
const followsWithinMs = 50;
export const ctrlC = "\x03";
export const escapeKey = "\x1b";
/** Arrows, function keys, reports of the terminal, and Alt with a key. */
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b\x03[O])/g;

export function runKeys(handlers: KeyHandlers): KeyListener {
  let begun = "";
  let timer: NodeJS.Timeout | undefined;

  const act = (keys: string): void => {
    for (const key of keys.replace(sequences, "")) {
      if (key === ctrlC) handlers.onInterrupt();
      if (key === escapeKey) handlers.onEscape();
    }
  };
  return {
    hear(keys) {
      clearTimeout(timer);
      const text = begun + keys;
      begun = /\x1b(?:[[O][0-?]*[ -/]*)?$/.exec(text)?.[0] ?? "";
      act(text.slice(0, text.length - begun.length));
      if (begun === "") return;
      timer = setTimeout(() => {
        const alone = begun === escapeKey ? begun : "";
        begun = "";
        act(alone);
      }, followsWithinMs).unref();
    },
    gone: () => clearTimeout(timer),
    waits: false,
  };
}
