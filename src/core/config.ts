// The configuration a run works with: `.superteam.json` in the repository, over the person's global one, over the
// defaults. Every key is read by some code.

import { z } from "zod";
import { difficulties } from "./dispatch.ts";

export const roleNames = [
  "scout",
  "brainstormer",
  "planner",
  "implementer",
  "spec-reviewer",
  "quality-reviewer",
  "architect",
  "security-reviewer",
  "performance-reviewer",
  "final-reviewer",
] as const;

export type RoleName = (typeof roleNames)[number];

export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export const AgentConfig = z.strictObject({
  model: z.string().min(1).optional(),
  thinking: z.enum(thinkingLevels).optional(),
  tools: z.array(z.string().min(1)).optional(),
  timeoutMinutes: z.number().positive().optional(),
  stuckMinutes: z.number().positive().optional(),
  fallback: z.array(z.string().min(1)).optional(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

/** Reviewers a run may have beyond the two every task gets. */
export const optionalReviewers = ["security-reviewer", "performance-reviewer"] as const;

export const ReviewConfig = z.strictObject({
  mode: z.enum(["iterative", "single-pass"]).optional(),
  order: z.enum(["spec-first", "parallel"]).default("spec-first"),
  planOrder: z.enum(["parallel", "sequential"]).default("parallel"),
  optional: z.array(z.enum(optionalReviewers)).default([]),
  maxPlanReviewCycles: z.number().int().min(1).max(20).default(3),
  blockOnSeverity: z.enum(severities).default("medium"),
  maxTaskReviewCycles: z.number().int().min(1).max(20).default(3),
});

export const Config = z.strictObject({
  backend: z.enum(["pi"]).default("pi"),
  model: z.string().min(1).optional(),
  agents: z.partialRecord(z.enum(roleNames), AgentConfig).default({}),
  environment: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of a variable")).default([]),
  execution: z
    .strictObject({
      mode: z.enum(["auto", "checkpoint", "batch"]).optional(),
      batchSize: z.number().int().min(1).optional(),
      warmSpares: z.boolean().default(true),
    })
    .prefault({}),
  review: ReviewConfig.prefault({}),
  complexity: z.partialRecord(z.enum(difficulties), z.string().min(1)).default({}),
  validationCommand: z.string().default(""),
  documents: z.strictObject({ commit: z.boolean().default(true) }).prefault({}),
});
export type Config = z.infer<typeof Config>;
