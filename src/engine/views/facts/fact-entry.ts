// What there is to say of one kind of fact, in every form it is told in.

import type { Fact } from "../../../core/flow/fact.ts";
import type { RunView } from "../fold/shape.ts";
import type { EventBody } from "../tell/output-event.ts";

export interface FactEntry<F> {
  /** What it changes in the view. */
  readonly keep: (view: RunView, fact: F) => void;
  /** Its line in `superteam log`. */
  readonly log?: (fact: F) => string;
  /** What is shown on the screen as it happens. The view has the fact already. */
  readonly show?: (fact: F, view: RunView) => Notice | undefined;
  /** What a program that follows the run is told. Without one the fact is a detail of what it is told anyway. */
  readonly event?: (fact: F, view: RunView) => EventBody;
}

export type FactTable = { readonly [T in Fact["type"]]: FactEntry<FactOf<T>> };
export type FactOf<T extends Fact["type"]> = Extract<Fact, { readonly type: T }>;

/** One thing that is told on the screen and stays there. */
export interface Notice {
  readonly text: string;
  readonly level: "info" | "warning";
}

export const info = (text: string): Notice => ({ text, level: "info" });
export const warning = (text: string): Notice => ({ text, level: "warning" });
