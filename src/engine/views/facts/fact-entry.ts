// What there is to say of one kind of fact, in every form it is told in.

import type { Fact, FactOf } from "../../../core/flow/fact.ts";
import type { RunView } from "../fold/shape.ts";
import type { EventBody } from "../tell/output-event.ts";

export interface FactEntry<F> {
  /** What it changes in the view. What it gives back is not used. */
  readonly keep: (view: RunView, fact: F) => unknown;
  /** Its line in the progress file, if it is a moment worth keeping. The view has the fact already, here and below. */
  readonly moment?: (fact: F, view: RunView) => string | undefined;
  /** Its line in `superteam log`. */
  readonly log?: (fact: F) => string;
  /** What is shown on the screen as it happens, as news or as a warning. */
  readonly show?: (fact: F, view: RunView) => string | undefined;
  readonly warn?: (fact: F, view: RunView) => string | undefined;
  /** What a program that follows the run is told. Without one the fact is a detail of what it is told anyway. */
  readonly event?: (fact: F, view: RunView) => EventBody;
}

export type FactTable = { readonly [T in Fact["type"]]: FactEntry<FactOf<T>> };
