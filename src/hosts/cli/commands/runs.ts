// superteam runs, superteam report: the runs there have been in this repository, and the report of one.

import { JournalFailure } from "../../../adapters/journal/failure.ts";
import { historyOf } from "../../../adapters/store/history.ts";
import type { RunStore } from "../../../adapters/store/runs.ts";
import { formatReport } from "../../../engine/views/report.ts";
import { type RunLine, runLine, runTable } from "../../../engine/views/runs.ts";
import { completedTasks } from "../../../engine/views/task-place.ts";
import { lookAtLine } from "../../run/line.ts";
import { chooseRun, lookAt, storeOf } from "../../run/look.ts";
import { exitCodes } from "../../run/problem.ts";
import { print } from "../say.ts";

export async function runs({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<number> {
  const store = await storeOf(folder);
  const known = new Map((await historyOf(store.history).read()).runs.map((run) => [run.runId, run]));
  const lines: RunLine[] = [];
  for (const runId of await store.list()) lines.push(known.get(runId) ?? (await fromJournal(store, runId)));
  const { inLine, text } = await lookAtLine(store);
  print(json ? JSON.stringify({ runs: lines.map(runLine), inLine }) : [...runTable(lines), ...text].join("\n"));
  return exitCodes.finished;
}

export async function report({ folder, id }: { readonly folder: string; readonly id: string | undefined }) {
  const store = await storeOf(folder);
  const { view } = await lookAt(store, await chooseRun(store, id));
  process.stdout.write(formatReport(view));
  return exitCodes.finished;
}

/** One that has not ended, or whose line in the history cannot be used. */
async function fromJournal(store: RunStore, runId: string): Promise<RunLine> {
  try {
    const { view, owner } = await lookAt(store, runId);
    const { goal, mode, startedAt, activeMs, spend, tasks } = view;
    const { costUsd, dispatches } = spend.total;
    const isHere = (await store.readActive()) === runId;
    const how = view.ending?.how ?? (owner ? "running" : isHere ? "suspended" : "unfinished");
    const completed = completedTasks(view);
    return { runId, goal, how, mode, startedAt, activeMs, costUsd, dispatches, tasks: tasks.size, completed };
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    const nothing = { mode: null, startedAt: 0, activeMs: 0, costUsd: 0, dispatches: 0, tasks: 0 };
    return { runId, goal: "", how: "unreadable", ...nothing };
  }
}
