// The person at a terminal. Dialogs and everything else for people go to stderr; keys come from stdin. stdout is left
// alone: it carries JSON.

import type { Question } from "../../../core/flow/question.ts";
import type { Person } from "../../../ports/person.ts";
import { attentionSignal } from "../attention.ts";
import { canRedraw } from "../output.ts";
import { openScreen } from "../screen/open-screen.ts";
import { waitingLines } from "../transcript.ts";
import { ask, type Terminal } from "./ask.ts";
import { keyboard } from "./keyboard.ts";
import { type KeyHandlers, runKeys } from "./keys.ts";

export interface TerminalOptions {
  /** Ctrl-C in a dialog; the dialog then resolves with undefined, as one that was closed. */
  readonly onInterrupt: () => void;
  /** Print plain lines and draw nothing over; for a terminal that stdout writes to as well. */
  readonly plain: boolean;
}

export interface TerminalPerson extends Person {
  /** Whether questions can be asked here at all. If not, they are printed and pause the run. */
  readonly canAsk: boolean;
  /** Hears Escape and Ctrl-C while no dialog is open. Returns how to stop; does nothing where stdin is no terminal. */
  listenKeys(handlers: KeyHandlers): () => void;
  /** Takes the live area away and leaves the terminal as it was found. Lines can still be printed. */
  close(): void;
}

export function terminalPerson({ onInterrupt, plain }: TerminalOptions): TerminalPerson {
  const { stdin: input, stderr: out } = process;
  const { screen, style, reports } = openScreen(out, plain);
  const keys = keyboard(input);
  const canAsk = input.isTTY === true && canRedraw(out, process.env["TERM"]);
  const terminal: Terminal = { keyboard: keys, out, style, screen, onInterrupt };
  let stopKeys = (): void => undefined;

  const show = async (question: Question, signal: AbortSignal): Promise<string | undefined> => {
    if (canAsk) return ask(terminal, question, signal);
    screen.print(waitingLines(question, style));
    return undefined;
  };
  return {
    canAsk,
    ask: oneAtATime(show),
    ...reports,
    ...(canAsk ? { attention: (message: string) => out.write(attentionSignal(message)) } : {}),
    listenKeys(handlers) {
      if (input.isTTY !== true) return () => undefined;
      const release = keys.listen(runKeys(handlers));
      screen.keys("Esc pauses · Ctrl-C stops");
      stopKeys = () => {
        release();
        screen.keys(undefined);
      };
      return stopKeys;
    },
    close() {
      stopKeys();
      screen.close();
    },
  };
}

/** A dialog waits until the one before it is gone. */
function oneAtATime<A extends unknown[], T>(act: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const mine = last.then(() => act(...args));
    last = mine.catch(() => undefined);
    return mine;
  };
}
