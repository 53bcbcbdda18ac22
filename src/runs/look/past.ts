// The past runs of the repository, as text.

import { formatReport } from "../../engine/views/files/report.ts";
import { countTasks } from "../../engine/views/fold/tasks.ts";
import { type RunLine, runLine, runTable } from "../../engine/views/show/runs.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Runs } from "../../ports/runs.ts";
import { chooseRun } from "./choose.ts";
import { lookAt, lookAtLine } from "./look.ts";

export async function runLines(runs: Runs): Promise<readonly RunLine[]> {
  const known = new Map((await runs.history.read()).runs.map((run) => [run.runId, run]));
  const lines: RunLine[] = [];
  for (const runId of await runs.list()) lines.push(runLine(known.get(runId) ?? (await fromJournal(runs, runId))));
  return lines;
}

export async function runsText(runs: Runs): Promise<string> {
  const { text } = await lookAtLine(runs);
  return [...runTable(await runLines(runs)), ...text].join("\n");
}

export async function reportText(runs: Runs, id: string | undefined): Promise<string> {
  const { view } = await lookAt(runs, await chooseRun(runs, id));
  return formatReport(view);
}

/** One that has not ended, or whose line in the history cannot be used. */
async function fromJournal(runs: Runs, runId: string): Promise<RunLine> {
  try {
    const { view, owner } = await lookAt(runs, runId);
    const { goal, mode, startedAt, activeMs, spend, tasks } = view;
    const { costUsd, dispatches } = spend.total;
    const isHere = (await runs.readActive()) === runId;
    const how = view.ending?.how ?? (owner ? "running" : isHere ? "suspended" : "unfinished");
    const completed = countTasks(view).complete.length;
    return { runId, goal, how, mode, startedAt, activeMs, costUsd, dispatches, tasks: tasks.size, completed };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    const nothing = { mode: null, startedAt: 0, activeMs: 0, costUsd: 0, dispatches: 0, tasks: 0 };
    return { runId, goal: "", how: "unreadable", ...nothing };
  }
}
