// What one kind of fact says, in each form.

import type { Fact, FactOf } from "../../../core/flow/fact.ts";
import type { RunView } from "../fold/shape.ts";
import type { Telling } from "../tell/telling.ts";

/** The view has the fact already wherever something is said of it. */
export type FactEntry<F> = { readonly [Form in keyof Telling]?: (fact: F, view: RunView) => Telling[Form] } & {
  /** What it changes in the view. The return value is not used. */
  readonly keep: (view: RunView, fact: F) => unknown;
  /** Its line in the progress file, if it is a moment worth keeping. */
  readonly moment?: (fact: F, view: RunView) => string | undefined;
};

export type FactTable = { readonly [T in Fact["type"]]: FactEntry<FactOf<T>> };
