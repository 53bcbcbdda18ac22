// The runs there have been in this repository, in words.

import { historyOf } from "../../adapters/store/history.ts";
import type { RunStore } from "../../adapters/store/runs.ts";
import { formatReport } from "../../engine/views/files/report.ts";
import { countTasks } from "../../engine/views/fold/tasks.ts";
import { type RunLine, runTable } from "../../engine/views/show/runs.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import { chooseRun, lookAt, storeOf } from "./look.ts";
import { lookAtLine } from "./queue.ts";

export async function runLines(store: RunStore): Promise<readonly RunLine[]> {
  const known = new Map((await historyOf(store.history).read()).runs.map((run) => [run.runId, run]));
  const lines: RunLine[] = [];
  for (const runId of await store.list()) lines.push(known.get(runId) ?? (await fromJournal(store, runId)));
  return lines;
}

export async function runsText(folder: string): Promise<string> {
  const store = await storeOf(folder);
  const { text } = await lookAtLine(store);
  return [...runTable(await runLines(store)), ...text].join("\n");
}

export async function reportText(folder: string, id: string | undefined): Promise<string> {
  const store = await storeOf(folder);
  const { view } = await lookAt(store, await chooseRun(store, id));
  return formatReport(view);
}

/** One that has not ended, or whose line in the history cannot be used. */
async function fromJournal(store: RunStore, runId: string): Promise<RunLine> {
  try {
    const { view, owner } = await lookAt(store, runId);
    const { goal, mode, startedAt, activeMs, spend, tasks } = view;
    const { costUsd, dispatches } = spend.total;
    const isHere = (await store.readActive()) === runId;
    const how = view.ending?.how ?? (owner ? "running" : isHere ? "suspended" : "unfinished");
    const completed = countTasks(view).complete.length;
    return { runId, goal, how, mode, startedAt, activeMs, costUsd, dispatches, tasks: tasks.size, completed };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    const nothing = { mode: null, startedAt: 0, activeMs: 0, costUsd: 0, dispatches: 0, tasks: 0 };
    return { runId, goal: "", how: "unreadable", ...nothing };
  }
}
