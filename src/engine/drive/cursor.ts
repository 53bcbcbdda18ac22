// Where in a run a flow stands: the scope it is in, and how often it has used each name there.

import type { PlaceId, Request } from "../../core/flow/flow.ts";
import { nthRequest, nthScope, stepIn } from "../../core/flow/keys.ts";

export class Cursor {
  readonly path: string;
  /** Branch numbers from the root: questions of concurrent branches are shown in this order. */
  readonly order: readonly number[];
  /** Where its requests are performed. */
  readonly place: PlaceId;
  readonly #counts = new Map<string, number>();
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

  /** The path of the next child scope, without its epoch. */
  child(name: string): string {
    const step = stepIn(this.path, name);
    return nthScope(step, this.#count(step));
  }

  #count(step: string): number {
    this.#steps++;
    const occurrence = (this.#counts.get(step) ?? 0) + 1;
    this.#counts.set(step, occurrence);
    return occurrence;
  }
}
