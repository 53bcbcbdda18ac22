// What several pipelines have: the roles, and the phase in which tasks are built.

import type { PipelineRole } from "../core/run/pipeline.ts";
import type { ScheduleEntry } from "../core/run/schedule.ts";

const reviewer = (name: string, review: string, thinks: string): PipelineRole => ({
  name,
  access: "read",
  review,
  thinks,
});

/** Each has a profile in `agents/`. */
export const roles: readonly PipelineRole[] = [
  { name: "scout", access: "read", next: "brainstormer" },
  { name: "brainstormer", access: "read", next: "brainstormer" },
  { name: "planner", access: "write", next: "implementer" },
  { name: "implementer", access: "write", next: "spec-reviewer", builds: true },
  { ...reviewer("spec-reviewer", "Spec review", "analyzing spec compliance"), next: "quality-reviewer" },
  { ...reviewer("quality-reviewer", "Quality review", "analyzing code quality"), next: "implementer" },
  reviewer("architect", "Architect review", "analyzing the plan"),
  reviewer("security-reviewer", "Security review", "analyzing security"),
  reviewer("performance-reviewer", "Performance review", "analyzing performance"),
  reviewer("final-reviewer", "Final review", "analyzing the whole of the work"),
];

/** What may be asked while tasks are built. */
export const taskQuestions: readonly string[] = [
  ...["configure.*", "execute.baseline", "execute.start", "execute.checkpoint", "execute.adjust"],
  ...["execute.flaky", "execute.preexisting", "execute.tests", "execute.place"],
  ...["bigger", "blocked", "answer", "escalation", "test-first", "claims", "nothing", "alone", "hook", "commit"].map(
    (what) => `execute.task.#.${what}`,
  ),
];

export const executePhase = {
  phase: "execute",
  stage: "build",
  type: "tasks",
  label: "Execute",
  title: "Executing",
  produces: ["commits"],
  requires: ["plan"],
  counts: ["task", "bar"],
  finished: { implement: "Implemented", fix: "Fixed" },
} as const satisfies ScheduleEntry;
