// Every pipeline there is, by the name a journal's first entry has it under.

import { z } from "zod";
import type { Flow, Flows } from "../core/flow/flow.ts";
import { pathsIn, SomeDocuments } from "../core/run/document-paths.ts";
import { sdd } from "./sdd.ts";
import { superteam } from "./superteam.ts";
import { team } from "./team.ts";

export interface NamedPipeline {
  readonly name: string;
  readonly input: z.ZodType;
  readonly flows: Flows;
  readonly start: (input: unknown) => Flow<unknown>;
}

const pipelines: readonly NamedPipeline[] = [superteam, sdd, team];

/** Undefined for a run of a version that has more of them. */
export function pipelineNamed(name: string): NamedPipeline | undefined {
  return pipelines.find((pipeline) => pipeline.name === name);
}

/** What the input of every pipeline says: what for, and which documents the run writes into the tree. */
const Commission = z.object({ goal: z.string(), documents: SomeDocuments.default({}) });

export function documentsOf(input: unknown): SomeDocuments {
  return Commission.parse(input).documents;
}

/** Every path a document of the run may have. */
export function documentPaths(input: unknown): readonly string[] {
  const { plan, ...others } = documentsOf(input);
  // Only a run that makes a design can have a plan for each of its parts: what else is named like one is no document.
  return plan !== undefined && others.design === undefined ? [plan, ...pathsIn(others)] : pathsIn({ plan, ...others });
}
