// What one agent process came to. Failures are outcomes too: the flow that asked decides what follows.

import type { TestFirst } from "../test-first/guard.ts";
import type { Anchor, AroundPutBack, WriterTraces } from "./repository.ts";

/** Why an agent gave no answer. `aborted` is never an outcome: an agent that superteam stopped is dispatched again. */
export type DispatchFailureKind =
  | "crashed"
  | "rate-limited"
  | "overloaded"
  /** No connection to the provider. */
  | "unreachable"
  | "auth"
  | "billing"
  | "timed-out"
  | "stuck"
  | "aborted"
  | "over-budget"
  | "wrong-model";

export const difficulties = ["easy", "medium", "hard"] as const;
export type Difficulty = (typeof difficulties)[number];

/** Tokens and money of one dispatch or one turn. `estimated` when a turn was cut before its usage was known. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costUsd: number;
  readonly estimated: boolean;
}

/** A command an agent ran, for red and green. */
export interface CommandRun {
  readonly command: string;
  readonly failed: boolean;
}

interface DispatchCommon {
  /** The model that really ran, as `provider/id`; null when none answered. */
  readonly model: string | null;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly commands: readonly CommandRun[];
  /** What the guard for test-first work did; not there when it had nothing to do, or there was none. */
  readonly testFirst?: TestFirst;
  /** The tree the agent was given (its hash), without the run's documents. */
  readonly tree: string;
  /** What a writer was given, to go back to: with what the person did before, however long the agent had to wait. */
  readonly start?: Anchor;
  /** The person kept what an interrupted try had left, so that an agent's work may be in `start`. */
  readonly isMixed?: boolean;
  /** What a writer did, when what is not its work has been put back. One that failed has left nothing. */
  readonly traces?: WriterTraces;
  /** Files that changed while a reader ran. Always empty for a writer. */
  readonly touched: readonly string[];
  /** The reader had a tool to write with, so what changed was put back; without one somebody else moved the tree. */
  readonly restored: boolean;
  /** What a reader did around HEAD and files; not there when it did nothing there, or had no tool for it. */
  readonly around?: AroundPutBack;
}

export type DispatchOutcome =
  | ({ readonly status: "finished"; readonly text: string } & DispatchCommon)
  | ({
      readonly status: "failed";
      readonly kind: DispatchFailureKind;
      readonly detail: string;
      /** The last thing the agent said or printed, bounded. */
      readonly output: string;
      readonly retryAfterMs?: number;
      /** The same as a point in time, so that it also passes while nobody waits. */
      readonly retryAt?: number;
    } & DispatchCommon);

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, estimated: false };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    costUsd: left.costUsd + right.costUsd,
    estimated: left.estimated || right.estimated,
  };
}

export function tokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** About four characters make a token. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / 4);
}

/** More than any one turn uses. */
const mostTokens = 1e9;
const mostUsd = 1_000;

/** What was reported, without what cannot be; `costUsd` stands in for a cost that cannot be. */
export function soundUsage(reported: Usage, costUsd: number): Usage {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const kinds = ["input", "output", "cacheRead", "cacheWrite"] as const;
  const isCost = isUpTo(mostUsd, reported.costUsd);
  if (isCost && kinds.every((kind) => isUpTo(mostTokens, reported[kind]))) return reported;
  for (const kind of kinds) if (isUpTo(mostTokens, reported[kind])) tokens[kind] = reported[kind];
  return { ...tokens, costUsd: isCost ? reported.costUsd : costUsd, estimated: true };
}

function isUpTo(most: number, amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0 && amount <= most;
}
