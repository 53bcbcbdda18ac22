// What was expected of a run before its tasks were begun, and what came of it.

import type { Forecast } from "../../../core/money/experience.ts";
import type { RunView } from "../fold/shape.ts";
import { count, duration, usd } from "./format.ts";

/** `Forecast: 14 dispatches, about $1.20 ($0.60 to $2.40), 10m 00s to 25m 00s; rests on 32 dispatches of the past` */
export function forecastText(forecast: Forecast): string {
  const { dispatches, lowMs, highMs, samples } = forecast;
  const basis =
    samples === 0 ? "a guess: there is no past to rest on" : `rests on ${dispatchCount(samples)} of the past`;
  const time = `${duration(lowMs)} to ${duration(highMs)}`;
  return `Forecast: ${dispatchCount(dispatches)}, ${costText(forecast)}, ${time}; ${basis}`;
}

function costText({ dispatches, expectedUsd, lowUsd, highUsd, unpriced = 0 }: Forecast): string {
  if (unpriced > 0 && unpriced === dispatches) return "at a cost that is not known";
  const known = `about ${usd(expectedUsd)} (${usd(lowUsd)} to ${usd(highUsd)})`;
  return unpriced === 0 ? known : `${known} without ${unpriced} by models that report no cost`;
}

export interface Actual {
  /** What was spent since the forecast was made. */
  readonly actualUsd: number;
  readonly isWithin: boolean;
}

/** What came of the forecast so far; null when none was made. */
export function actualOf({ forecast, spend }: RunView): (Forecast & Actual) | null {
  if (forecast === null) return null;
  const since = spend.total.costUsd - forecast.spentUsd;
  // Sums of dollars are not exact: what is left of equal ones is nothing.
  const actualUsd = since < 1e-9 ? 0 : since;
  return { ...forecast, actualUsd, isWithin: actualUsd >= forecast.lowUsd && actualUsd <= forecast.highUsd };
}

/** The forecast beside what came: the report and `superteam costs` have it. */
export function forecastAgainstActual(forecast: Forecast & Actual, hasEnded: boolean): string {
  const { actualUsd, isWithin, lowUsd } = forecast;
  if (!hasEnded) return `${forecastText(forecast)}; so far ${usd(actualUsd)}`;
  const where = isWithin ? "within the range" : `${actualUsd < lowUsd ? "below" : "above"} the range`;
  return `${forecastText(forecast)}; it came to ${usd(actualUsd)}, ${where}`;
}

function dispatchCount(amount: number): string {
  return count(amount, "dispatch", "dispatches");
}
