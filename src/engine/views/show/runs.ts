// The runs there have been, a line each.

import type { PastRun } from "../../../core/money/experience.ts";
import { duration, oneLine, usd } from "../../../core/text/format.ts";
import { left, right, tableLines } from "./table.ts";

type Kept = "runId" | "goal" | "mode" | "startedAt" | "activeMs" | "costUsd" | "dispatches" | "tasks" | "completed";

/** A run of the history, or one that is only known by its journal. */
export interface RunLine extends Pick<PastRun, Kept> {
  /** `running` or `suspended` in this tree; `unfinished` in another one, or given up without an end. */
  readonly how: PastRun["how"] | "running" | "suspended" | "unfinished" | "unreadable";
}

/** What `superteam runs --json` has of each. */
export function runLine(run: RunLine): RunLine {
  const { runId, goal, how, mode, startedAt, activeMs, costUsd, dispatches, tasks, completed } = run;
  return { runId, goal, how, mode, startedAt, activeMs, costUsd, dispatches, tasks, completed };
}

export function runTable(runs: readonly RunLine[]): readonly string[] {
  if (runs.length === 0) return ["There are no runs in this repository yet."];
  const columns = [...["run", "end", "mode"].map(left), ...["cost", "time", "tasks"].map(right), left("goal")];
  const rows = runs.map(({ runId, how, mode, costUsd, activeMs, tasks, completed, goal }) => {
    const done = completed === undefined || tasks === 0 ? String(tasks) : `${completed}/${tasks}`;
    return [runId, how, mode ?? "", usd(costUsd), duration(activeMs), done, oneLine(goal, 60)];
  });
  return tableLines(columns, rows);
}
