// What a model turn cost: as pi reports it, or estimated when the turn was cut before its usage was known.

import { tokensIn, type Usage } from "../../../core/flow/dispatch.ts";
import { asCount, asObject } from "./unknown-json.ts";

/** US dollars per token, as seen in what pi reported so far. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

export const unknownPrices: Prices = { input: 0, output: 0 };

export function usageOf(value: unknown): Usage {
  const usage = asObject(value);
  return {
    input: asCount(usage["input"]),
    output: asCount(usage["output"]),
    cacheRead: asCount(usage["cacheRead"]),
    cacheWrite: asCount(usage["cacheWrite"]),
    costUsd: asCount(asObject(usage["cost"])["total"]),
    estimated: false,
  };
}

/** The prices this usage shows; the known ones where it shows none. */
export function pricesOf(value: unknown, known: Prices): Prices {
  const usage = asObject(value);
  const cost = asObject(usage["cost"]);
  const price = (kind: keyof Prices): number => {
    const tokens = asCount(usage[kind]);
    return tokens > 0 ? asCount(cost[kind]) / tokens : known[kind];
  };
  return { input: price("input"), output: price("output") };
}

export interface CutTurn {
  /** What pi had reported when the turn was cut: nothing, the input alone, or more. */
  readonly reported: Usage;
  /** Tokens of the conversation that was sent. */
  readonly context: number;
  /** Characters that had come in. */
  readonly streamed: number;
  readonly prices: Prices;
}

/** The context plus the streamed output; or what was reported, if that is more. */
export function estimateOf({ reported, context, streamed, prices }: CutTurn): Usage {
  const sent = reported.input + reported.cacheRead + reported.cacheWrite;
  const input = sent > 0 ? reported.input : context;
  const output = Math.max(reported.output, tokensIn(streamed));
  const unreported = (input - reported.input) * prices.input + (output - reported.output) * prices.output;
  return { ...reported, input, output, costUsd: reported.costUsd + unreported, estimated: true };
}
