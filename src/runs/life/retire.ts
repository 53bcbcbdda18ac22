// What is left of a run that has ended: no active state, and a line in the history that estimates use.

import { historyVersion, type PastRun } from "../../core/money/experience.ts";
import { ceremonyRatio, isUnpriced, pricesIn, samplesIn } from "../../engine/views/fold/ledger.ts";
import type { RunView } from "../../engine/views/fold/shape.ts";
import { countTasks } from "../../engine/views/fold/tasks.ts";
import type { Ending } from "../../ports/journal.ts";
import type { Workplace } from "../workplace.ts";

export async function retire(place: Pick<Workplace, "runs" | "removePlaces">, view: RunView, how: Ending["how"]) {
  const { runs, removePlaces } = place;
  await runs.history.add(pastRun(view, how));
  await runs.clearActive();
  await removePlaces(view.runId);
}

export function pastRun(view: RunView, how: Ending["how"]): PastRun {
  const { total, models } = view.spend;
  return {
    v: historyVersion,
    runId: view.runId,
    goal: view.goal,
    how,
    mode: view.mode,
    startedAt: view.startedAt,
    endedAt: view.lastAt,
    activeMs: view.activeMs,
    costUsd: total.costUsd,
    estimated: total.estimated || [...models.values()].some(isUnpriced),
    dispatches: total.dispatches,
    tasks: view.tasks.size,
    completed: countTasks(view).complete.length,
    rounds: [...view.tasks.values()].reduce((sum, { round }) => sum + round, 0),
    ceremonyRatio: ceremonyRatio(view),
    samples: samplesIn(view.spend),
    prices: pricesIn(view.spend),
    forecast: view.forecast,
  };
}
