// A forecast in words, for the person who decides whether the work begins.

import type { CostsConfig } from "../run/config.ts";
import { count, duration, usd } from "../text/format.ts";
import type { Item, Outlook } from "./forecast.ts";

export function forecastLines(outlook: Outlook, taskCount: number, costs: CostsConfig): readonly string[] {
  const { forecast, items, dispatches } = outlook;
  const { low, high } = { low: Math.floor(dispatches.low), high: Math.ceil(dispatches.high) };
  return [
    `${count(taskCount, "task")}, about ${count(forecast.dispatches, "dispatch")} (${low} to ${high}):`,
    ...items.map(itemLine),
    ...costLines(outlook, costs),
    `Time: ${duration(forecast.lowMs)} to ${duration(forecast.highMs)}, one after another.`,
    basisLine(outlook),
    errorLine(outlook),
  ];
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
  const known = `Cost: ${range}. ${usd(spentUsd)} are spent; the hard limit is ${usd(limitUsd)}.`;
  if (unpriced === 0) return [known];
  const limits = `${unpricedTokens.toLocaleString("en-US")} tokens and ${count(unpricedDispatches, "dispatch")}`;
  const unknown = `${count(unpriced, "dispatch")} by models that tell no price; those have ${limits} at most.`;
  return unpriced === dispatches ? [`Cost: unknown. ${unknown}`] : [known, `Beyond that, ${unknown}`];
}

function basisLine({ forecast: { samples }, items }: Outlook): string {
  if (samples === 0) return "It is a guess: no earlier dispatch is known.";
  const isGuessed = items.some(({ price }) => price.samples.length === 0);
  const rest = isGuessed ? ", and on guesses for roles without any" : "";
  return `It rests on ${count(samples, "earlier dispatch")}${rest}.`;
}

function errorLine({ pastError }: Outlook): string {
  if (pastError === null) return "There is no earlier forecast yet to hold it against.";
  const share = Math.round(pastError.median * 100);
  if (pastError.runs === 1) return `The one earlier forecast was off by ${share} %.`;
  return `Earlier forecasts were off by ${share} % (the median of ${pastError.runs}).`;
}
