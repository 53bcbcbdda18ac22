// A screen for logs and pipes: the status becomes a line of its own, when it changed and not too often; widgets are
// left out. Nothing is ever drawn over.

import { oneLine } from "../../../core/text/format.ts";
import { type Output, styleOf } from "../output.ts";
import type { Screen } from "./screen.ts";

/** Just under the two seconds after which a run would seem dead, so that a status that moves is seen to move. */
const statusEveryMs = 1_900;

export function logScreen(out: Output, everyMs: number = statusEveryMs): Screen {
  const style = styleOf(out);
  const slots = new Map<string, string>();
  let shown = "";
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) out.write(`${lines.join("\n")}\n`);
  };
  const showStatus = (): void => {
    timer = undefined;
    const line = [...slots.values()].join(" · ");
    if (line === "" || line === shown) return;
    shown = line;
    shownAt = Date.now();
    print([`${style.paint("dim", "·")}  ${line}`]);
  };
  const close = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    print,
    status(slot, text) {
      if (text === undefined) slots.delete(slot);
      else slots.set(slot, oneLine(text));
      const wait = shownAt + everyMs - Date.now();
      if (wait <= 0) showStatus();
      else timer ??= setTimeout(showStatus, wait).unref();
    },
    keys: () => undefined,
    stage: () => ({ print, end: () => undefined }),
    close,
  };
}
