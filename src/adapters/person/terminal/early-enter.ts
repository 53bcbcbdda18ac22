// Enter that follows another key at once was meant for that one, such as the number that has just answered the question before. So a
// dialog that opens right after a key takes no Enter for a moment, and shows which keys work when it does.

import type { TerminalKeyboard } from "./keyboard.ts";

/** Nobody has read a question in less, and no hand takes longer from a number to Enter. */
const momentMs = 400;

export function earlyEnter(keyboard: Pick<TerminalKeyboard, "quietMs">, changed: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const wait = (ms: number): void => {
    end();
    timer = setTimeout(() => {
      end();
      changed();
    }, ms);
  };
  const rest = momentMs - keyboard.quietMs();
  if (rest > 0) wait(rest);
  return {
    /** Whether Enter would answer. */
    isOver: () => timer === undefined,
    /** Whether these keys are such an Enter. While it is held down the moment does not pass; any other key ends it. */
    refuses(keys: string): boolean {
      if (timer === undefined) return false;
      const isEnter = /^[\r\n]+$/.test(keys);
      if (isEnter) wait(momentMs);
      else {
        end();
        changed();
      }
      return isEnter;
    },
    end,
  };
}
