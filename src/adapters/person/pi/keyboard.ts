// Whose the keys are in pi's terminal while a run is at work: the person may be writing to pi meanwhile, or have one of its
// lists open.

import type { Surface } from "./dialog.ts";

export type PiKeyboard = ReturnType<typeof keyboardOf>;

export function keyboardOf({ ui }: Pick<Surface, "ui">) {
  let focused = (): object | null => null;
  /** Whether keys are meant for nothing yet: pi's editor has them, and is empty. */
  const isFree = (): boolean => isEditor(focused()) && ui.getEditorText() === "";
  return {
    /** pi draws something here: nothing else tells where its keys go. */
    drawnOn(tui: object): void {
      focused = () => focusIn(tui);
    },
    isFree,
    /** Since when no key was pressed, from now on; and how to stop. */
    listenQuiet() {
      let last = performance.now();
      const stop = ui.onTerminalInput(() => {
        last = performance.now();
        return undefined;
      });
      return { forMs: () => performance.now() - last, stop };
    },
    /** Hears Escape while the keys are free and `mayHear` says so. Returns how to stop. */
    listenEscape: (mayHear: () => boolean, onEscape: () => void) =>
      ui.onTerminalInput((keys) => {
        if (!escapeKey.test(keys) || !mayHear() || !isFree()) return undefined;
        onEscape();
        return { consume: true };
      }),
  };
}

/** No pi promises to tell it, so it is looked for; without it the editor is taken to have the keys. */
function focusIn(tui: object): object | null {
  return "getFocusedComponent" in tui && typeof tui.getFocusedComponent === "function"
    ? tui.getFocusedComponent()
    : null;
}

/** What pi shows in place of its editor, such as its list of models, has the keys for itself. */
function isEditor(focused: object | null): boolean {
  return focused === null || "getText" in focused;
}

/** Escape alone, as terminals send it plainly and as they send it to programs that ask for distinct keys. */
const escapeKey = /^\x1b(?:\[27(?:;1(?::1)?)?u)?$/;
