// What the engine knows of a run's money and progress while it drives it: the same fold that people are shown, so that a
// decision about money never uses other numbers. It takes each entry of the journal once, in order.

import { readAside } from "../../core/flow/keys.ts";
import type { Amounts } from "../../core/money/budget.ts";
import type { Headway } from "../../core/money/budget-questions.ts";
import type { Entry } from "../../ports/journal.ts";
import type { LiveEvent, Recording } from "../drive/recorder.ts";
import { amountsSpent } from "../views/fold/ledger.ts";
import { applyEntry } from "../views/fold/run-view.ts";
import { openQuestions, RunView } from "../views/fold/shape.ts";
import { costLeft, countTasks } from "../views/fold/tasks.ts";

export class Tally {
  readonly view = new RunView();
  #heard: (key: string, costUsd: number) => void = () => undefined;

  /** All that was spent in this run, in whatever life and attempt, and what models without a price have used. */
  get spent(): Amounts {
    return amountsSpent(this.view.spend);
  }

  /** Calls back for each amount spent from now on. */
  listen(hear: (key: string, costUsd: number) => void): void {
    this.#heard = hear;
  }

  /** Null before there is a plan. */
  get headway(): Headway | null {
    const { complete, left } = countTasks(this.view);
    const total = this.view.tasks.size;
    return total === 0 ? null : { done: complete.length, total, left: left.length === 0 ? null : costLeft(this.view) };
  }

  /** Whether a question about the budget waits for its answer. */
  get isAsking(): boolean {
    return openQuestions(this.view).some(({ key }) => readAside(key)?.id.startsWith("budget."));
  }

  take(entry: Entry): void {
    applyEntry(this.view, entry);
    if (entry.type === "note" && entry.note.type === "usage") this.#heard(entry.key, entry.note.usage.costUsd);
  }
}

/** Every entry, those that are there already first, is counted. */
export function counting<W extends Recording>(world: W, tally: Tally): W {
  for (const entry of world.journal.entries) tally.take(entry);
  const watch = (sight: LiveEvent): void => {
    if (sight.type === "entry") tally.take(sight.entry);
    world.watch(sight);
  };
  return { ...world, watch };
}
