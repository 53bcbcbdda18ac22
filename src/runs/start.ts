// superteam run, superteam resume: starts a run in this tree, or continues the active one.

import type { Ahead } from "../engine/asking/question-queue.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { recap } from "../engine/views/show/recap.ts";
import { reasonOf } from "../ports/failure.ts";
import type { Journal } from "../ports/journal.ts";
import type { Runs } from "../ports/runs.ts";
import { activeRun, locked } from "./active.ts";
import { abort } from "./end.ts";
import { handleOf, type RunEnded, type RunHandle, type RunOptions, type StartOptions } from "./handle.ts";
import type { ActiveRun, Host } from "./host.ts";
import type { Going, RunOrder } from "./life/begin.ts";
import {
  begin,
  defaultRun,
  inputOf,
  prepare,
  refuseDirty,
  refuseInTheMiddle,
  refuseWithoutModel,
} from "./life/begin.ts";
import { conducted } from "./life/conduct.ts";
import { afterFinish } from "./life/next.ts";
import { lookAt } from "./look/look.ts";
import type { Workplace } from "./workplace.ts";

export function start(place: Workplace, options: StartOptions, host: Host): Promise<RunHandle> {
  const { goal, mode, skipBrainstorm, dryRun, by, budget: budgetUsd } = options;
  const wishes = { mode, skipBrainstorm, dryRun, budgetUsd };
  const order = (): RunOrder => ({ ...defaultRun(place, { goal, wishes }), by });
  return startRun(place, options, host, { order, documents: [], name: goal });
}

/** Before anybody is asked what to build: a tree that takes no run would have the answer for nothing. */
export async function refuseBeforeGoal(place: Workplace): Promise<void> {
  if ((await place.runs.readActive()) === undefined) await refuseDirty(place);
}

/** A run that is to be started. */
export interface Start {
  /** Made when nothing stands in its way any more. */
  readonly order: () => RunOrder;
  /** Those of its documents that are there already: changes to them are no reason to refuse. */
  readonly documents: readonly string[];
  /** Its name on the screen. */
  readonly name: string;
}

/** With an active run the person is asked which of the two they want. */
export function startRun(place: Workplace, options: RunOptions, host: Host, begun: Start): Promise<RunHandle> {
  return handleOf((onBegin) => started({ place, options, host, onBegin }, begun));
}

/** Gives what the question that waits is answered with. */
export type AnswerAhead = (journal: Journal) => Ahead;

export function resume(place: Workplace, options: RunOptions, host: Host, answer?: AnswerAhead): Promise<RunHandle> {
  return handleOf((onBegin) => resumed({ place, options, host, onBegin }, answer));
}

async function started(going: Going, { order, documents, name }: Start): Promise<RunEnded> {
  const { place, host } = going;
  const { runs } = place;
  const ready = await prepare(going);
  const active = await runs.readActive();
  if (active !== undefined && !(await givesUp(runs, active, host))) return resumed(going);
  await refuseDirty(place, documents);
  await refuseWithoutModel(ready.backend, place);
  if (active !== undefined)
    for (const text of await abort(place, "the person started a new run instead")) host.tell(text);
  const runId = runs.newId();
  const ended = await locked(runs, runId, async (lease) => {
    const journal = await begin(going, runId, order());
    const opening = [`Run ${runId}: ${name}`];
    return conducted({ ...going, ...ready, lease, runId, journal, opening });
  });
  return afterFinish(ended, going);
}

async function resumed(going: Going, answer?: AnswerAhead): Promise<RunEnded> {
  const { options, place } = going;
  const { runs } = place;
  const runId = await activeRun(runs);
  refuseInTheMiddle(place.tree);
  const budget = options.budget ?? (await budgetOf(runs, runId));
  const ready = await prepare({ ...going, options: { ...options, budget } });
  const ended = await locked(runs, runId, async (lease) => {
    const { journal, repairs } = await runs.open(runId);
    const opening = [...repairs, recap(viewOf(journal.entries))];
    return conducted({ ...going, ...ready, lease, runId, journal, opening, ahead: answer?.(journal) });
  });
  return afterFinish(ended, going);
}

/** What the run was started with. A journal that cannot be read is reported when it is opened next. */
async function budgetOf(runs: Runs, runId: string): Promise<number | undefined> {
  return inputOf(await runs.read(runId).catch(() => []))?.wishes.budgetUsd;
}

/** With an active run the person chooses between the two; a live one cannot be given up here. */
async function givesUp(runs: Runs, active: string, host: Host): Promise<boolean> {
  await locked(runs, active, () => Promise.resolve());
  return host.givesUp(await standingOf(runs, active));
}

/** A journal that cannot be read must not keep anybody from starting again. */
async function standingOf(runs: Runs, runId: string): Promise<ActiveRun> {
  try {
    const { view } = await lookAt(runs, runId);
    return { runId, goal: view.goal, standing: recap(view) };
  } catch (error) {
    return { runId, goal: `Run ${runId}`, standing: reasonOf(error) };
  }
}
