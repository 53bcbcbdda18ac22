// superteam stop, superteam abort: suspends the run, or ends it for good. A live runner is told; without one an abort is
// carried out here.

import { backends } from "../adapters/agents/backends.ts";
import { leftoversOf } from "../adapters/agents/open-backends.ts";
import { removeSnapshot } from "../adapters/store/snapshot.ts";
import { settleEarlierLives } from "../engine/drive/recovery.ts";
import { counting, Tally } from "../engine/money/tally.ts";
import { formatReport } from "../engine/views/files/report.ts";
import { viewOf } from "../engine/views/fold/run-view.ts";
import { OutsideFailure } from "../ports/failure.ts";
import type { Ending, Journal } from "../ports/journal.ts";
import { retire } from "./life/retire.ts";
import { unfinishedLines } from "./life/unfinished.ts";
import { runnerOf, teamAtWork } from "./look/look.ts";
import { Problem } from "./problem.ts";
import { leaveProgress } from "./show/projections.ts";
import { activeRun, locked, openTree, type Tree } from "./tree.ts";

/** Agents get five seconds to end before they are killed; the receipt comes after that. */
const receiptMs = 30_000;

/** Says what was stopped: whoever is at work in this tree. A team is never its active run. */
export async function stop(folder: string): Promise<string> {
  const tree = await openTree(folder);
  const team = await teamAtWork(tree.runs);
  if (team) {
    await tellRunner(tree, team.runId, "stop");
    return `The team at work in this tree is stopped (process ${team.pid}, run ${team.runId}).`;
  }
  const runId = await activeRun(tree);
  if ((await runnerOf(tree.runs, runId)) === undefined)
    return `Run ${runId} is not going on right now: it is suspended already. superteam resume goes on with it.`;
  return tellRunner(tree, runId, "stop");
}

/** Says how it ended, a text each. */
export async function abort(folder: string, why = byCommand): Promise<readonly string[]> {
  const tree = await openTree(folder);
  const runId = await activeRun(tree);
  if ((await runnerOf(tree.runs, runId)) !== undefined) return [await tellRunner(tree, runId, "abort")];
  return locked(tree, runId, async () => {
    const kept = tree.runs.where(runId);
    return [...(await endedHere(tree, runId, why)), `Run ${runId} is ended. Its journal is kept in ${kept}.`];
  });
}

const byCommand = "ended by `superteam abort`";

async function endedHere(tree: Tree, runId: string, why: string): Promise<readonly string[]> {
  const journal = await openOrForget(tree, runId);
  if (typeof journal === "string") return [journal];
  try {
    return await endHere(tree, runId, { journal, why });
  } finally {
    await journal.close();
  }
}

/** A journal that cannot be read must not hold the tree for ever: the run is no longer active, and its files stay. */
async function openOrForget(tree: Tree, runId: string): Promise<Journal | string> {
  try {
    return (await tree.runs.open(runId)).journal;
  } catch (error) {
    if (!(error instanceof OutsideFailure && (error.kind === "unreadable" || error.kind === "older"))) throw error;
    await tree.runs.clearActive();
    await removeSnapshot(tree.place.root);
    return error.message;
  }
}

async function tellRunner({ runs }: Tree, runId: string, kind: "stop" | "abort"): Promise<string> {
  const sent = await runs.send(runId, { kind }, receiptMs);
  if (sent.how !== "received") throw new Problem(sent.text, "failed");
  if (!sent.receipt.ok) throw new Problem(sent.receipt.text, "failed");
  return sent.receipt.text;
}

interface EndedBy {
  readonly journal: Journal;
  readonly why: string;
}

async function endHere(tree: Tree, runId: string, { journal, why }: EndedBy): Promise<readonly string[]> {
  await settleLives(tree, runId, journal);
  const { entries } = journal;
  const ending: Ending = { how: "aborted", detail: why };
  await journal.append({ type: "end", ending }, { sync: true });
  await retire(tree, { view: viewOf(journal.entries), how: ending.how });
  await removeSnapshot(tree.place.root);
  // The run has ended whether or not the file that says so can be written.
  const trouble = await leaveProgress(tree.place.root, entries).then(
    () => [],
    (cause: Error) => [cause.message],
  );
  const left = await unfinishedLines(tree, entries);
  return [...trouble, [formatReport(viewOf(entries)), ...left].join("\n")];
}

/** As whoever goes on with a run does first: what its agents have used is part of its cost, also when it was killed. */
async function settleLives({ runs }: Tree, runId: string, journal: Journal): Promise<void> {
  await journal.append(
    { type: "session", pid: process.pid, versions: { node: process.versions.node } },
    { sync: false },
  );
  const tally = new Tally();
  const agents = leftoversOf(backends);
  const dispatches = runs.dispatches(runId);
  const traces = { journal, watch: () => undefined, clock: { now: Date.now }, agents, dispatches };
  await settleEarlierLives(counting(traces, tally), tally);
}
