// A journal as it grows, for those who only look.

import type { Entry } from "../../ports/journal.ts";
import { lookOnChange } from "../files/watch.ts";
import { readFileJournal } from "./scan.ts";

/** Some file systems tell nobody of a change. */
const pollMs = 1000;

/** The entries there are, then new ones as they come, until the signal is aborted. */
export async function* followJournal(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  let wake = (): void => undefined;
  let hasChanged = true;
  const change = (): void => {
    hasChanged = true;
    wake();
  };
  const stop = lookOnChange(folder, pollMs, change);
  signal.addEventListener("abort", change, { once: true });
  try {
    for (let known = 0; !signal.aborted; ) {
      hasChanged = false;
      const { entries } = await readFileJournal(folder);
      if (entries.length > known) yield entries.slice(known);
      known = entries.length;
      if (hasChanged) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop();
    signal.removeEventListener("abort", change);
  }
}
