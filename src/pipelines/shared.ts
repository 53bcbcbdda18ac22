// What several pipelines have: the roles, and the phase in which tasks are built.

import type { PipelineRole, ScheduleEntry } from "../core/run/pipeline.ts";

/** Each has a profile in `agents/`. */
export const roles: readonly PipelineRole[] = [
  { name: "scout", access: "read", next: "brainstormer" },
  { name: "brainstormer", access: "read", next: "brainstormer" },
  { name: "planner", access: "write", next: "implementer" },
  { name: "implementer", access: "write", next: "spec-reviewer" },
  { name: "spec-reviewer", access: "read", next: "quality-reviewer" },
  { name: "quality-reviewer", access: "read", next: "implementer" },
  { name: "architect", access: "read" },
  { name: "security-reviewer", access: "read" },
  { name: "performance-reviewer", access: "read" },
  { name: "final-reviewer", access: "read" },
];

/** What may be asked while tasks are built. */
export const taskQuestions: readonly string[] = [
  ...["configure.*", "execute.start", "execute.forecast", "execute.checkpoint", "execute.adjust"],
  ...["bigger", "escalation", "nothing", "commit", "head"].map((what) => `execute.task.#.${what}`),
];

export const executePhase = {
  phase: "execute",
  label: "Execute",
  title: "Executing",
  stage: "build",
  type: "tasks",
  produces: ["commits"],
  requires: ["plan"],
  counts: ["task", "bar"],
} as const satisfies ScheduleEntry;
