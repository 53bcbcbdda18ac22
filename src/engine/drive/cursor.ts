// The position of a flow in a run: the scope it is in, and how often it has used each name there.

import type { PlaceId, Request } from "../../core/flow/flow.ts";
import { atEpoch, nthRequest, nthScope, stepIn } from "../../core/flow/keys.ts";

export class Cursor {
  readonly path: string;
  /** Branch numbers from the root: questions of concurrent branches are shown in this order. */
  readonly order: readonly number[];
  /** Where its requests are performed. */
  readonly place: PlaceId;
  readonly #counts = new Map<string, number>();
  readonly #latest = new Map<string, string>();
  /** Scopes that start over when this flow reaches them again, and at which epoch. */
  readonly #restarted = new Map<string, number>();
  #steps = 0;

  constructor(path: string, { order, place }: Pick<Cursor, "order" | "place">) {
    this.path = path;
    this.order = order;
    this.place = place;
  }

  /** How many steps were taken in this scope; the next one has this index. */
  get steps(): number {
    return this.#steps;
  }

  /** The key of the next request. */
  key(kind: Request["do"], name: string): { readonly key: string; readonly occurrence: number } {
    const step = stepIn(this.path, name, kind);
    const occurrence = this.#count(step);
    return { key: nthRequest(step, occurrence), occurrence };
  }

  /** The path of the next child scope. One that was restarted by this flow is the same scope at its next epoch. */
  child(name: string): string {
    const step = stepIn(this.path, name);
    const epoch = this.#restarted.get(step);
    this.#restarted.delete(step);
    if (epoch !== undefined) this.#steps++;
    const base = nthScope(step, epoch === undefined ? this.#count(step) : (this.#counts.get(step) ?? 1));
    const path = epoch === undefined ? base : atEpoch(base, epoch);
    this.#latest.set(step, path);
    return path;
  }

  /** The path of the scope of this name that was run last. */
  latest(name: string): string {
    const path = this.#latest.get(stepIn(this.path, name));
    if (path === undefined) throw new Error(`"${name}" was not run here and cannot be restarted`);
    return path;
  }

  restarted(name: string, epoch: number): void {
    this.#restarted.set(stepIn(this.path, name), epoch);
  }

  #count(step: string): number {
    this.#steps++;
    const occurrence = (this.#counts.get(step) ?? 0) + 1;
    this.#counts.set(step, occurrence);
    return occurrence;
  }
}
