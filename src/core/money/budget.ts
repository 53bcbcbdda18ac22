// The budget's decisions: what counts as over, when the person is asked, and whether a dispatch may start now.

import { readAside } from "../flow/keys.ts";
import type { Config } from "../run/config.ts";

/** Money, and for models that report no cost their tokens and dispatches instead. */
export const units = ["usd", "tokens", "dispatches"] as const;
export type Unit = (typeof units)[number];
export type Amounts = Readonly<Record<Unit, number>>;

export interface Limits {
  /** The person is asked once whether to continue. */
  readonly warnUsd: number;
  /** At these nothing is started, and what runs is stopped. */
  readonly hard: Amounts;
}

/** Short of the hard limit in money the person is asked once more. */
const nearShare = 0.9;

/** What the configuration says now. */
export function limitsOf(config: Config): Limits {
  const { costs, budgetCheckpointUsd } = config;
  return {
    warnUsd: budgetCheckpointUsd ?? costs.warnAtUsd,
    hard: { usd: costs.hardLimitUsd, tokens: costs.unpricedTokens, dispatches: costs.unpricedDispatches },
  };
}

/** With what the person has raised them to in this run; 0 where they have not. */
export function raised({ warnUsd, hard }: Limits, to: Amounts): Limits {
  return {
    warnUsd,
    hard: {
      usd: Math.max(hard.usd, to.usd),
      tokens: Math.max(hard.tokens, to.tokens),
      dispatches: Math.max(hard.dispatches, to.dispatches),
    },
  };
}

export function isSame(left: Limits, right: Limits): boolean {
  return left.warnUsd === right.warnUsd && units.every((unit) => left.hard[unit] === right.hard[unit]);
}

/** The limit that is reached; undefined when there is room in all. */
export function reached({ hard }: Limits, spent: Amounts): Unit | undefined {
  return units.find((unit) => spent[unit] >= hard[unit]);
}

/** Whether agents that run have to stop: they keep using money and tokens, but add no dispatches. */
export function mustStop(limits: Limits, spent: Amounts): boolean {
  const unit = reached(limits, spent);
  return unit === "usd" || unit === "tokens";
}

/** A point at which the person is asked. Two of the same id are told apart by their mark. */
export interface Checkpoint {
  readonly id: "budget.warn" | "budget.near" | "budget.limit";
  readonly mark: string;
  readonly unit: Unit;
}

const warn: Checkpoint = { id: "budget.warn", mark: "once", unit: "usd" };

/** The checkpoints that this spending has reached, the gravest first. A raised limit is a new one. */
export function checkpoints(limits: Limits, spent: Amounts): readonly Checkpoint[] {
  const unit = reached(limits, spent);
  if (unit !== undefined) return [{ id: "budget.limit", mark: `${unit}-${limits.hard[unit]}`, unit }];
  const { warnUsd, hard } = limits;
  const near: Checkpoint = { id: "budget.near", mark: `usd-${hard.usd}`, unit: "usd" };
  return [...(spent.usd >= nearShare * hard.usd ? [near] : []), ...(spent.usd >= warnUsd ? [warn] : [])];
}

/** The lesser checkpoints that continuing from this one answers too. */
export function impliedBy({ id, unit }: Checkpoint, limits: Limits, spent: Amounts): readonly Checkpoint[] {
  return id === "budget.limit" && unit === "usd" && spent.usd >= limits.warnUsd ? [warn] : [];
}

/** The unit whose limit was raised by what is answered under this key; undefined for any other key. */
export function unitRaised(key: string): Unit | undefined {
  const { id, mark } = readAside(key) ?? {};
  return id === "budget.amount" ? units.find((unit) => mark?.startsWith(`${unit}-`)) : undefined;
}

export interface Claimants {
  /** How many agents run. */
  readonly running: number;
  /** What they are still expected to cost. */
  readonly reservedUsd: number;
  /** What the next one is. */
  readonly expectedUsd: number;
}

/**
 * Whether a dispatch starts, waits for a running one to end, or must not start before the person has raised the limit. One
 * that does not fit runs alone as long as there is anything left.
 */
export function admission(limits: Limits, spent: Amounts, claims: Claimants): "go" | "wait" | "over" {
  const isOver = reached(limits, spent) !== undefined;
  if (claims.running === 0) return isOver ? "over" : "go";
  return isOver || spent.usd + claims.reservedUsd + claims.expectedUsd > limits.hard.usd ? "wait" : "go";
}
