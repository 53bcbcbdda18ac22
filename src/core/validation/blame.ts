// Which of several pieces of work made a test fail, when the tests did not run after each of them.

/** A piece of work, and the tests that fail since. */
export interface Blame {
  readonly task: number;
  readonly title: string;
  readonly commit: string;
  readonly tests: readonly string[];
  /** What that work changed. */
  readonly diff: string;
}

/**
 * The first of so many steps after which something is bad, by bisecting. It was good before the first step and is bad after the
 * last. Yields a step, and is given whether it is bad after it.
 */
export function* firstBad(steps: number): Generator<number, number, boolean> {
  let [good, bad] = [-1, steps - 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (yield middle) bad = middle;
    else good = middle;
  }
  return bad;
}
