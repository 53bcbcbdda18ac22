// A run that waits until its provider has time for it again.

import type { OpenRequest, RunView } from "../fold/shape.ts";
import { clockTime, dateTime, duration } from "./format.ts";

/** Until when the run waits for its provider; undefined when it does not. */
export function quotaWait({ open, ending }: RunView): number | undefined {
  if (ending) return undefined;
  const until = [...open.values()].flatMap((request) => awayUntil(request) ?? []);
  return until.length === 0 ? undefined : Math.max(...until);
}

/** When a wait that nobody sits through is over. */
export function awayUntil({ request, at }: OpenRequest): number | undefined {
  if (request.do !== "wait" || request.away !== true) return undefined;
  return request.until ?? at + request.ms;
}

/** `waiting for the provider until 14:30 UTC (12m 00s)` */
export function waitingText(until: number, now: number): string {
  // What is left is never more than a day on a clock that shows hours: the date is needed then.
  const when = until - now < 12 * 3_600_000 ? `${clockTime(until)} UTC` : dateTime(until);
  return `waiting for the provider until ${when} (${duration(until - now)})`;
}

/** What a person who finds the run suspended can do. */
export function quotaLines(until: number, now: number): readonly string[] {
  if (until <= now) return ["The provider should have time again: superteam resume goes on."];
  return [
    `The provider's quota is used up: ${waitingText(until, now)}.`,
    "superteam resume --wait sleeps until then and goes on; with --model another model goes on at once.",
  ];
}
