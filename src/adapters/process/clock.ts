import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // An abort is all that can reject it.
  sleep: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
};
