// What was expected of a run before its tasks were begun, and what came of it.

import type { Forecast } from "../../core/experience.ts";
import { count, duration, usd } from "./format.ts";
import type { RunView } from "./shape.ts";

/** `Forecast: 14 dispatches, about $1.20 ($0.60 to $2.40), 10m 00s to 25m 00s; rests on 32 dispatches of the past` */
export function forecastText(forecast: Forecast): string {
  const { dispatches, expectedUsd, lowUsd, highUsd, lowMs, highMs, samples } = forecast;
  const basis =
    samples === 0 ? "a guess: there is no past to rest on" : `rests on ${dispatchCount(samples)} of the past`;
  const cost = `about ${usd(expectedUsd)} (${usd(lowUsd)} to ${usd(highUsd)})`;
  return `Forecast: ${dispatchCount(dispatches)}, ${cost}, ${duration(lowMs)} to ${duration(highMs)}; ${basis}`;
}

export interface Actual {
  /** What was spent since the forecast was made. */
  readonly actualUsd: number;
  readonly isWithin: boolean;
}

/** What came of the forecast so far; null when none was made. */
export function actualOf({ forecast, spend }: RunView): Actual | null {
  if (forecast === null) return null;
  const actualUsd = Math.max(0, spend.total.costUsd - forecast.spentUsd);
  return { actualUsd, isWithin: actualUsd >= forecast.lowUsd && actualUsd <= forecast.highUsd };
}

/** The forecast beside what came: the report and `superteam costs` have it. */
export function forecastAgainstActual(view: RunView): string | undefined {
  const actual = actualOf(view);
  if (view.forecast === null || actual === null) return undefined;
  const verdict = actual.isWithin ? "within the range" : `${offBy(actual.actualUsd, view.forecast)} the range`;
  const came = view.ending === null ? `so far ${usd(actual.actualUsd)}` : `${usd(actual.actualUsd)} came, ${verdict}`;
  return `${forecastText(view.forecast)}; ${came}`;
}

function offBy(actualUsd: number, { lowUsd }: Forecast): string {
  return actualUsd < lowUsd ? "below" : "above";
}

function dispatchCount(amount: number): string {
  return count(amount, "dispatch", "dispatches");
}
