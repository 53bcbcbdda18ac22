// One thread and virtual time. Whoever calls a port waits here until it is their turn, and chance says whose turn it is. A life that
// is killed is simply never resumed: what it had done is done, and what it was about to do is not.

import { setImmediate as microtasksDone } from "node:timers/promises";
import type { Clock } from "../../src/ports/clock.ts";
import type { Chance } from "./chance.ts";

interface Waiting {
  readonly what: string;
  readonly go: () => void;
}

interface Timer {
  readonly at: number;
  readonly go: () => void;
}

export type Course<T> =
  | { readonly how: "ended"; readonly value: T }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "killed" }
  /** Nobody waits for anything that could still happen. */
  | { readonly how: "deadlock" };

export class Scheduler implements Clock {
  #waiting: Waiting[] = [];
  #timers: Timer[] = [];
  #now: number;
  readonly #chance: Chance;

  constructor(chance: Chance, now: number) {
    this.#chance = chance;
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** A point at which others may come first, and at which the life may end. */
  point(what: string): Promise<void> {
    return new Promise((go) => this.#waiting.push({ what, go }));
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = { at: this.#now + ms, go: resolve };
      this.#timers.push(timer);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Drives a life to its end. Before each turn `isKilled` is told what comes next. */
  async drive<T>(life: Promise<T>, isKilled: (next: string) => boolean): Promise<Course<T>> {
    let course: Course<T> | undefined;
    life.then(
      (value) => {
        course = { how: "ended", value };
      },
      (error: unknown) => {
        course = { how: "threw", error };
      },
    );
    for (;;) {
      await microtasksDone();
      if (course !== undefined) return this.#rest(course);
      const next = this.#next();
      if (next === undefined) return this.#rest({ how: "deadlock" });
      if (isKilled(next.what)) return this.#rest({ how: "killed" });
      next.go();
    }
  }

  #next(): Waiting | undefined {
    const place = this.#chance.below(this.#waiting.length);
    const [waiting] = this.#waiting.splice(place, 1);
    this.#now += 1;
    if (waiting !== undefined) return waiting;
    const timer = this.#timers.toSorted((a, b) => a.at - b.at)[0];
    if (timer === undefined) return undefined;
    this.#timers = this.#timers.filter((one) => one !== timer);
    this.#now = Math.max(this.#now, timer.at);
    return { what: "time passes", go: timer.go };
  }

  #rest<T>(course: Course<T>): Course<T> {
    this.#waiting = [];
    this.#timers = [];
    return course;
  }
}
