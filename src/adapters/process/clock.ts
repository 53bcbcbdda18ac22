import type { Clock } from "../../ports/clock.ts";

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const cut = (): void => resolve();
    signal.addEventListener("abort", cut, { once: true });
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", cut);
  },
};
