// Reviews end. A round is one fix and its re-review; rounds are bounded, and an id that survives two fixes stops the
// loop early. When the rounds are over the person decides, and only the person can grant more.

import { openIn, type Register } from "./register.ts";

/** A finding that is open after this many fixes will not be mended by another one of the same kind. */
const hopelessAfter = 2;

interface Rounds {
  /** Rounds since the person last decided. */
  readonly used: number;
  readonly limit: number;
}

export function mayFix(rounds: Rounds, register: Register): boolean {
  return rounds.used < rounds.limit && !openIn(register).some((entry) => entry.fixes >= hopelessAfter);
}
