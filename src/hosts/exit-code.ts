// What the command line exits with, and a pi that only prints: a stable contract, see docs/guides/headless.md.

import type { RunEnded } from "../runs/handle.ts";
import type { ProblemKind } from "../runs/problem.ts";

export const exitCodes = {
  finished: 0,
  failed: 1,
  waiting: 2,
  "over-budget": 3,
  "wrong-usage": 4,
  "not-possible": 5,
  interrupted: 130,
} as const satisfies Readonly<Record<ProblemKind | "finished", number>>;

export function exitCodeOf({ end, isOverBudget, problems }: RunEnded): number {
  if (end.how === "finished") return exitCodes.finished;
  if (end.how !== "suspended") return exitCodes.failed;
  if (end.why === "interrupted") return exitCodes.interrupted;
  if (problems.length > 0) return exitCodes["wrong-usage"];
  return exitCodes[end.why === "question" && isOverBudget ? "over-budget" : "waiting"];
}
