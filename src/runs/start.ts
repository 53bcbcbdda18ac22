// superteam run, superteam resume: starts a run in this tree, or goes on with the active one.

import { reasonOf } from "../adapters/files/present.ts";
import type { Ahead } from "../engine/asking/question-queue.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { recap } from "../engine/views/show/recap.ts";
import { SuperteamInput } from "../pipelines/superteam.ts";
import type { Journal } from "../ports/journal.ts";
import { abort } from "./end.ts";
import { handleOf, type OnBegin, type RunEnded, type RunHandle } from "./handle.ts";
import type { ActiveRun, Host } from "./host.ts";
import { begin, defaultRun, prepare, type RunOrder, refuseDirty, refuseWithoutModel } from "./life/begin.ts";
import { conducted } from "./life/conduct.ts";
import { afterFinish } from "./life/next.ts";
import { lookAt } from "./look/look.ts";
import type { RunOptions, StartOptions } from "./options.ts";
import { activeRun, locked, openTree, type Tree } from "./tree.ts";

export function start(options: StartOptions, host: Host): Promise<RunHandle> {
  const { goal, mode, skipBrainstorm, dryRun, budget: budgetUsd } = options;
  const wishes = { mode, skipBrainstorm, dryRun, budgetUsd };
  return startRun(options, host, { order: (tree) => defaultRun(tree, { goal, wishes }), documents: [], name: goal });
}

/** A run that is to be started. */
export interface Start {
  /** Made when nothing stands in its way any more. */
  readonly order: (tree: Tree) => RunOrder;
  /** Those of its documents that are there already: changes to them are no reason to refuse. */
  readonly documents: readonly string[];
  /** What it is told as. */
  readonly name: string;
}

/** With an active run the person is asked which of the two they want. */
export function startRun(options: RunOptions, host: Host, begun: Start): Promise<RunHandle> {
  return handleOf((onBegin) => started({ options, host, onBegin }, begun));
}

/** `answer` is what the question that waits is answered with. */
export function resume(options: RunOptions, host: Host, answer?: (journal: Journal) => Ahead): Promise<RunHandle> {
  return handleOf((onBegin) => resumed({ options, host, onBegin }, answer));
}

interface Going {
  readonly options: RunOptions;
  readonly host: Host;
  readonly onBegin: OnBegin;
}

async function started(going: Going, { order, documents, name }: Start): Promise<RunEnded> {
  const { options, host } = going;
  const tree = await openTree(options.folder);
  const ready = await prepare(tree, options, host);
  const active = await tree.runs.readActive();
  if (active !== undefined && (await instead(tree, active, host)) === "resume") return resumed(going);
  await refuseDirty(tree, documents);
  await refuseWithoutModel(ready.backend, tree);
  if (active !== undefined)
    for (const text of await abort(options.folder, "the person started a new run instead")) host.tell(text);
  const runId = tree.runs.newId();
  const ended = await locked(tree, runId, async () => {
    const journal = await begin(tree, runId, order(tree), host);
    const opening = [`Run ${runId}: ${name}`];
    return conducted({ ...going, ...ready, tree, runId, journal, opening, ahead: undefined });
  });
  return afterFinish(ended, going);
}

async function resumed(going: Going, answer?: (journal: Journal) => Ahead): Promise<RunEnded> {
  const { options, host } = going;
  const tree = await openTree(options.folder);
  const runId = await activeRun(tree);
  const budget = options.budget ?? (await budgetOf(tree, runId));
  const ready = await prepare(tree, { ...options, ...(budget === undefined ? {} : { budget }) }, host);
  const ended = await locked(tree, runId, async () => {
    const { journal, repairs } = await tree.runs.open(runId);
    const opening = [...repairs, recap(viewOf(journal.entries))];
    return conducted({ ...going, ...ready, tree, runId, journal, opening, ahead: answer?.(journal) });
  });
  return afterFinish(ended, going);
}

/** What the run was started with. A journal that cannot be read is told by whoever opens it next. */
async function budgetOf(tree: Tree, runId: string): Promise<number | undefined> {
  const [first] = await tree.runs.read(runId).catch(() => []);
  if (first?.type !== "run") return undefined;
  const input = SuperteamInput.safeParse(first.header.input);
  return input.success ? input.data.wishes.budgetUsd : undefined;
}

/** With an active run the person says which of the two they want; one that goes on right now is not theirs to choose. */
async function instead(tree: Tree, active: string, host: Host): Promise<"resume" | "start"> {
  await locked(tree, active, () => Promise.resolve());
  return host.instead(await standingOf(tree, active));
}

/** A journal that cannot be read must not keep anybody from starting anew. */
async function standingOf({ runs }: Tree, runId: string): Promise<ActiveRun> {
  try {
    const { view } = await lookAt(runs, runId);
    return { runId, goal: view.goal, standing: recap(view) };
  } catch (error) {
    return { runId, goal: `Run ${runId}`, standing: reasonOf(error) };
  }
}
