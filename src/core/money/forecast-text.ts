// A forecast in words, for the person who decides whether the work begins.

import type { CostsConfig } from "../run/config.ts";
import { count, duration, usd } from "../text/format.ts";
import type { Item, Outlook } from "./forecast.ts";

export function forecastLines(outlook: Outlook, taskCount: number, costs: CostsConfig): readonly string[] {
  const { forecast, items, dispatches } = outlook;
  const { low, high } = { low: Math.floor(dispatches.low), high: Math.ceil(dispatches.high) };
  return [
    `${count(taskCount, "task")}, about ${count(forecast.dispatches, "agent call")} (${low} to ${high}):`,
    ...items.map(itemLine),
    ...costLines(outlook, costs),
    `Time: ${duration(forecast.lowMs)} to ${duration(forecast.highMs)}, one after another.`,
    basisLine(outlook),
    errorLine(outlook),
  ];
}

/** For the approval of a plan: cost, time, what both are based on, and what is left of the budget. */
export function shortForecast(outlook: Outlook, { hasPast }: { readonly hasPast: boolean }): readonly string[] {
  const { forecast, limitUsd, fits } = outlook;
  const { dispatches, lowUsd, expectedUsd, highUsd, lowMs, highMs, spentUsd, unpriced = 0 } = forecast;
  const cost = `${usd(expectedUsd)} (${usd(lowUsd)}–${usd(highUsd)})`;
  const known = unpriced === dispatches && unpriced > 0 ? "unknown" : cost;
  const untold = unpriced === 0 ? "" : ` ${count(unpriced, "agent call")} by models that report no price.`;
  return [
    `Estimate: ${known}, ${timeSpan(lowMs, highMs)}.${untold} ${basisOf(outlook, hasPast)}`,
    `Budget: ${usd(Math.max(0, limitUsd - spentUsd))} of ${usd(limitUsd)} left.${fits ? "" : " The estimate does not fit."}`,
  ];
}

/** `8–20 min` */
function timeSpan(lowMs: number, highMs: number): string {
  const minutes = (ms: number): number => Math.max(1, Math.round(ms / 60_000));
  if (highMs < 60_000) return "under a minute";
  const [low, high] = [minutes(lowMs), minutes(highMs)];
  return low === high ? `${high} min` : `${low}–${high} min`;
}

function basisOf({ forecast: { samples }, guessedShare, pastError }: Outlook, hasPast: boolean): string {
  if (guessedShare > 0.5) return hasPast ? "Mostly a guess." : "First run here: mostly a guess.";
  const off = pastError === null ? "" : ` Earlier estimates were off by ${Math.round(pastError.median * 100)} %.`;
  return `Based on ${count(samples, "earlier agent call")}.${off}`;
}

/** `  implementer (hard) about 3 with provider/id: $0.60 to $1.20` */
function itemLine({ role, difficulty, model, times, price }: Item): string {
  const who = difficulty === null ? role : `${role} (${difficulty})`;
  const often = times.expected === 0 ? `up to ${Math.ceil(times.high)}` : `about ${Number(times.expected.toFixed(1))}`;
  const cost = price.usd === undefined ? "cost unknown" : `${usd(price.usd.low)} to ${usd(price.usd.high)} each`;
  const basis = price.samples.length === 0 ? ", a guess" : "";
  return `  ${who}: ${often} with ${model ?? "the default model"}, ${cost}${basis}`;
}

function costLines({ forecast, limitUsd }: Outlook, { unpricedTokens, unpricedDispatches }: CostsConfig) {
  const { lowUsd, expectedUsd, highUsd, spentUsd, dispatches, unpriced = 0 } = forecast;
  const range = `about ${usd(expectedUsd)} (${usd(lowUsd)} to ${usd(highUsd)})`;
  const known = `Cost: ${range}. Spent so far: ${usd(spentUsd)} of ${usd(limitUsd)}.`;
  if (unpriced === 0) return [known];
  const limits = `${unpricedTokens.toLocaleString("en-US")} tokens and ${count(unpricedDispatches, "agent call")}`;
  const unknown = `${count(unpriced, "agent call")} by models that report no price; their limit is ${limits}.`;
  return unpriced === dispatches ? [`Cost: unknown. ${unknown}`] : [known, `Beyond that, ${unknown}`];
}

function basisLine({ forecast: { samples }, items }: Outlook): string {
  if (samples === 0) return "This is a guess: there are no earlier agent calls to base it on.";
  const isGuessed = items.some(({ price }) => price.samples.length === 0);
  const rest = isGuessed ? ", and on guesses for roles without one" : "";
  return `Based on ${count(samples, "earlier agent call")}${rest}.`;
}

function errorLine({ pastError }: Outlook): string {
  if (pastError === null) return "There is no earlier forecast to compare it with.";
  const share = Math.round(pastError.median * 100);
  if (pastError.runs === 1) return `The one earlier forecast was off by ${share} %.`;
  return `Earlier forecasts were off by ${share} % (the median of ${pastError.runs}).`;
}
