import type { Clock } from "../../ports/clock.ts";

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Node's own makes an error for each abort.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener("abort", wake, { once: true });
    }),
};
