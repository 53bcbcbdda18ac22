// What there is to say of one kind of fact, in every form it is told in.

import type { Fact } from "../../../core/flow/fact.ts";
import type { RunView } from "../fold/shape.ts";
import type { EventBody } from "../tell/output-event.ts";

export interface FactEntry<F> {
  /** What it changes in the view. */
  readonly keep: (view: RunView, fact: F) => void;
  /** Its line in `superteam log`. */
  readonly log?: (fact: F) => string;
  /** What is shown on the screen as it happens, as news or as a warning. The view has the fact already. */
  readonly show?: (fact: F, view: RunView) => string | undefined;
  readonly warn?: (fact: F, view: RunView) => string | undefined;
  /** What a program that follows the run is told. Without one the fact is a detail of what it is told anyway. */
  readonly event?: (fact: F, view: RunView) => EventBody;
}

export type FactTable = { readonly [T in Fact["type"]]: FactEntry<FactOf<T>> };
export type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;
