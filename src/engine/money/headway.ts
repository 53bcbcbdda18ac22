// How far a run has come, for whoever has to decide about its money: the tasks of its plan, those that are done, and what
// each has cost.

import type { Fact, TaskLine } from "../../core/flow/fact.ts";
import type { Headway } from "../../core/money/budget-questions.ts";
import { remainingCost } from "../../core/money/remaining.ts";
import { whereIsRequest } from "../views/fold/where.ts";

export class HeadwayCount {
  #tasks: readonly TaskLine[] = [];
  readonly #done = new Set<string>();
  readonly #costs = new Map<string, number>();

  /** Null before there is a plan. */
  get headway(): Headway | null {
    if (this.#tasks.length === 0) return null;
    const done = this.#tasks.filter(({ id }) => this.#done.has(id));
    const left = this.#tasks.filter(({ id }) => !this.#done.has(id));
    const paid = done.map((task) => ({ ...sized(task), costUsd: this.#costs.get(task.id) ?? 0 }));
    const cost = left.length === 0 ? null : remainingCost(paid, left.map(sized));
    return { done: done.length, total: this.#tasks.length, left: cost };
  }

  learn(fact: Fact): void {
    if (fact.type === "task.settled") this.#done.add(fact.task);
    if (fact.type !== "plan.written" && fact.type !== "plan.loaded") return;
    this.#tasks = fact.type === "plan.written" ? fact.tasks : [fact.task];
    this.#done.clear();
    this.#costs.clear();
  }

  pay(key: string, costUsd: number): void {
    const { task } = whereIsRequest(key);
    if (task !== null) this.#costs.set(task, (this.#costs.get(task) ?? 0) + costUsd);
  }
}

function sized({ complexity = "medium" }: TaskLine) {
  return { complexity };
}
