// What was spent, in a few words.

import type { Usage } from "../../../core/flow/dispatch.ts";
import { isUnpriced } from "../fold/ledger.ts";
import type { RunView } from "../fold/shape.ts";
import { count, usd } from "./format.ts";

/** `$1.90 (partly estimated)`; where no price is known that is said instead. */
export function spentText(usage: Usage): string {
  if (isUnpriced(usage)) return "no money that is known of (the model reports no cost)";
  return `${usd(usage.costUsd)}${usage.estimated ? " (partly estimated)" : ""}`;
}

/** `brainstorm $0.15, plan-write $0.20` */
export function phaseCosts({ spend }: RunView): string {
  return [...spend.phases].map(([phase, { costUsd }]) => `${phase} ${usd(costUsd)}`).join(", ");
}

/** Which model did what: `provider/model 8 dispatches, $1.90; other/small 1 dispatch, no price` */
export function modelCosts({ spend }: RunView): string {
  return [...spend.models]
    .map(([model, used]) => {
      const cost = isUnpriced(used) ? "no price" : usd(used.costUsd);
      return `${model} ${count(used.dispatches, "dispatch", "dispatches")}, ${cost}`;
    })
    .join("; ");
}
