// superteam abort: ends the run for good. A live runner is asked to; without one it happens here.

import type { Recording } from "../engine/drive/recorder.ts";
import { endRun } from "../engine/drive/run.ts";
import { formatReport } from "../engine/views/files/report.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { OutsideFailure, reasonOf } from "../ports/failure.ts";
import type { Journal } from "../ports/journal.ts";
import { activeRun, locked } from "./active.ts";
import { retire } from "./life/retire.ts";
import { unfinishedLines } from "./life/unfinished.ts";
import { abortLive } from "./live.ts";
import { leaveProgress } from "./show/projections.ts";
import type { Workplace } from "./workplace.ts";

/** Says how it ended, a text each. */
export async function abort(place: Workplace, why = byCommand): Promise<readonly string[]> {
  const { runs } = place;
  const runId = await activeRun(runs);
  const told = await abortLive(runs, runId);
  if (told !== undefined) return [told];
  return locked(runs, runId, async () => {
    const ended = await endHere(place, runId, why);
    return [...ended, `Run ${runId} is ended. Its journal is kept in ${runs.where(runId)}.`];
  });
}

const byCommand = "ended by `superteam abort`";

async function endHere(place: Workplace, runId: string, why: string): Promise<readonly string[]> {
  const { runs, clock, session, leftovers: agents } = place;
  const journal = await openOrForget(place, runId);
  if (typeof journal === "string") return [journal];
  const { entries } = journal;
  const told: string[] = [];
  const watch: Recording["watch"] = (event) => void (event.type === "told" && told.push(event.text));
  try {
    const { history } = runs;
    await endRun({ journal, watch, clock, session, agents, history, dispatches: runs.dispatches(runId) }, why);
    const view = viewOf(entries);
    await retire(place, view, "aborted");
    await removeSnapshot(place);
    // The run has ended whether or not the file that says so can be written.
    const trouble = await leaveProgress(place.projections.documents, entries).then(
      () => [],
      (cause: unknown) => [reasonOf(cause)],
    );
    const left = await unfinishedLines(place, entries);
    return [...told, ...trouble, [formatReport(view), ...left].join("\n")];
  } finally {
    await journal.close();
  }
}

/** A journal that cannot be read must not hold the tree for ever: the run is no longer active, and its files stay. */
async function openOrForget(place: Workplace, runId: string): Promise<Journal | string> {
  try {
    return (await place.runs.open(runId)).journal;
  } catch (error) {
    if (!(error instanceof OutsideFailure && (error.kind === "unreadable" || error.kind === "older"))) throw error;
    await place.runs.clearActive();
    await removeSnapshot(place);
    return error.message;
  }
}

function removeSnapshot({ projections }: Workplace): Promise<void> {
  return projections.snapshot(() => undefined).remove();
}
