// Every pipeline there is, by the name a journal's first entry has it under.

import type { Pipeline } from "../core/run/pipeline.ts";
import { sdd } from "./sdd.ts";
import { superteam } from "./superteam.ts";
import { team } from "./team.ts";

export const pipelines: readonly Pipeline[] = [superteam, sdd, team];

/** The roles of all of them: these can be configured, and a repository may have profiles of its own for them. */
export const roleNames: readonly string[] = [
  ...new Set(pipelines.flatMap(({ roles }) => roles.map(({ name }) => name))),
];

/**
 * Whatever the pipeline: of the budget, of what was found at a start, of agents that did not do as they should, and of the person at
 * work in the tree.
 */
const commonQuestions: readonly string[] = [
  ...["preflight.*", "budget.warn", "budget.near", "budget.limit", "budget.amount"],
  ...["run.restore", "run.diverged", "run.unhandled", "*.failed", "*.unparsable", "*.touched"],
  ...["*.mixed", "*.head"],
];

/** The ids of all questions a run may ask. An answers file may name others only by mistake. */
export const questionIds: readonly string[] = [
  ...new Set([...pipelines.flatMap(({ questions }) => questions), ...commonQuestions]),
];

/** Undefined for a run of a version that has more of them. */
export function pipelineNamed(name: string): Pipeline | undefined {
  return pipelines.find((pipeline) => pipeline.name === name);
}
