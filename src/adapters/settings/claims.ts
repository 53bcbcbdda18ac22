// What a repository's configuration claims beyond how superteam itself works: commands to run, variables to hand out,
// tools to give to agents, money to spend. A claim takes effect only when the person trusts it.

import type { Claim } from "../../ports/settings.ts";

/** `*` stands for any one name. */
export const claiming: readonly string[] = [
  ...["validationCommand", "environment", "agents.*.tools"],
  ...["costs.warnAtUsd", "costs.hardLimitUsd", "costs.unpricedTokens", "costs.unpricedDispatches"],
  "budgetCheckpointUsd",
];

export interface SplitClaims {
  readonly claims: readonly Claim[];
  /** The same value without its claims. */
  readonly rest: unknown;
}

/** Takes the claims out of what a file says. An empty text or list claims nothing and stays. */
export function splitClaims(value: unknown, path: readonly string[] = []): SplitClaims {
  if (isClaim(path) && claimsSomething(value)) return { claims: [{ path, value }], rest: undefined };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { claims: [], rest: value };
  const parts = Object.entries(value).map(([key, inner]) => [key, splitClaims(inner, [...path, key])] as const);
  return {
    claims: parts.flatMap(([, part]) => part.claims),
    rest: Object.fromEntries(parts.flatMap(([key, { rest }]) => (rest === undefined ? [] : [[key, rest]]))),
  };
}

/** A claim in the shape of the file. */
export function asFile({ path, value }: Claim): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function isClaim(path: readonly string[]): boolean {
  return claiming.some((pattern) => {
    const names = pattern.split(".");
    return names.length === path.length && names.every((name, index) => name === "*" || name === path[index]);
  });
}

function claimsSomething(value: unknown): boolean {
  return value !== "" && !(Array.isArray(value) && value.length === 0);
}
