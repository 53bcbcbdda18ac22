// What the command line exits with: a stable contract, see docs/guides/headless.md.

import type { RunEnded } from "../../runs/handle.ts";
import type { ProblemKind } from "../../runs/problem.ts";

export const exitCodes = {
  finished: 0,
  failed: 1,
  waiting: 2,
  overBudget: 3,
  wrongUsage: 4,
  notPossibleHere: 5,
  interrupted: 130,
} as const;

export const problemExitCodes: Readonly<Record<ProblemKind, number>> = {
  failed: exitCodes.failed,
  waiting: exitCodes.waiting,
  "over-budget": exitCodes.overBudget,
  "wrong-usage": exitCodes.wrongUsage,
  "not-possible": exitCodes.notPossibleHere,
  interrupted: exitCodes.interrupted,
};

export function exitCodeOf({ end, isOverBudget, problems }: RunEnded): number {
  if (end.how === "finished") return exitCodes.finished;
  if (end.how !== "suspended") return exitCodes.failed;
  if (end.why === "interrupted") return exitCodes.interrupted;
  if (problems.length > 0) return exitCodes.wrongUsage;
  return end.why === "question" && isOverBudget ? exitCodes.overBudget : exitCodes.waiting;
}
