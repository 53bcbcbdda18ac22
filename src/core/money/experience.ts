// What earlier dispatches and runs cost: the basis of estimates. A past run is one line of the history.

import { z } from "zod";
import { difficulties } from "../flow/dispatch.ts";
import { modes } from "../run/config.ts";

const amount = z.number().nonnegative();

/** Dispatches of one kind. Costs and times belong together by index, oldest first. */
export const Sample = z.object({
  role: z.string(),
  difficulty: z.enum(difficulties).nullable(),
  model: z.string().nullable(),
  costsUsd: z.array(amount),
  ms: z.array(amount),
});
export type Sample = z.infer<typeof Sample>;

/** A forecast, to compare with the actual cost. `spentUsd` was already spent and is not part of it. */
export const Forecast = z.object({
  dispatches: z.int().min(0),
  lowUsd: amount,
  expectedUsd: amount,
  highUsd: amount,
  lowMs: amount,
  highMs: amount,
  /** How many earlier dispatches it is based on; 0 for a guess. */
  samples: z.int().min(0),
  spentUsd: amount,
  /** How many of the dispatches are by models that tell no price: their cost is in none of the amounts. */
  unpriced: z.int().min(0).optional(),
});
export type Forecast = z.infer<typeof Forecast>;

/** The version of a history line that this build writes and reads. */
export const historyVersion = 1;

export const PastRun = z.object({
  v: z.literal(historyVersion),
  runId: z.string(),
  goal: z.string(),
  how: z.enum(["finished", "failed", "aborted"]),
  mode: z.enum(modes).nullable(),
  startedAt: z.number(),
  endedAt: z.number(),
  activeMs: amount,
  costUsd: amount,
  /** Part of the cost is estimated, or a model had no price. */
  estimated: z.boolean(),
  dispatches: z.int().min(0),
  tasks: z.int().min(0),
  /** How many of them were completed. */
  completed: z.int().min(0).optional(),
  rounds: z.int().min(0),
  /** Spend outside implementation over total spend; null when nothing was spent. */
  ceremonyRatio: z.number().nullable(),
  samples: z.array(Sample),
  /** What a token of each model has cost, over all kinds of tokens; 0 for a model without a price. */
  prices: z.record(z.string(), amount).optional(),
  forecast: Forecast.nullable(),
});
export type PastRun = z.infer<typeof PastRun>;

/** Everything an estimate in this run can be based on. */
export const Experience = z.object({
  /** Of this run, so far. */
  own: z.array(Sample),
  past: z.array(PastRun),
  spentUsd: amount,
  /** What the person has raised the hard limit to in this run, if they have. */
  raisedUsd: amount.optional(),
  /** The model each role would be given now, by role, or `implementer/<difficulty>`; null: the backend's own default. */
  models: z.record(z.string(), z.string().nullable()),
});
export type Experience = z.infer<typeof Experience>;
