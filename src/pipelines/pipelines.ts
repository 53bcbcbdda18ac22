// Every pipeline there is, by the name a journal's first entry has it under.

import type { Pipeline } from "../core/run/pipeline.ts";
import { sdd } from "./sdd.ts";
import { superteam } from "./superteam.ts";
import { team } from "./team.ts";

export const pipelines: readonly Pipeline[] = [superteam, sdd, team];

/** Undefined for a run of a version that has more of them. */
export function pipelineNamed(name: string): Pipeline | undefined {
  return pipelines.find((pipeline) => pipeline.name === name);
}
