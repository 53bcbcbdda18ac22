// superteam stop, superteam abort: suspends the run, or ends it for good. A live runner is told; without one an abort is
// carried out here.

import { piLeftovers } from "../adapters/agents/pi/agents.ts";
import { JournalFailure } from "../adapters/journal/failure.ts";
import { openFileJournal } from "../adapters/journal/file.ts";
import { send } from "../adapters/store/send.ts";
import { removeSnapshot } from "../adapters/store/snapshot.ts";
import { settleEarlierLives } from "../engine/drive/recovery.ts";
import { counting, Tally } from "../engine/money/tally.ts";
import { formatReport } from "../engine/views/files/report.ts";
import type { Ending, Journal } from "../ports/journal.ts";
import type { Host } from "./host.ts";
import { runnerOf, teamAtWork } from "./look/look.ts";
import { exitCodes, Problem } from "./problem.ts";
import { retire } from "./retire.ts";
import { leaveProgress } from "./show/projections.ts";
import { viewOf } from "./show/show.ts";
import { locked } from "./start.ts";
import { activeRun, openTree, type Tree } from "./tree.ts";
import { unfinishedLines } from "./unfinished.ts";
import { dispatchFolders } from "./wire.ts";

/** Agents get five seconds to end before they are killed; the receipt comes after that. */
const receiptMs = 30_000;

/** Whoever is at work in this tree: a team is never its active run. */
export async function stop(folder: string, tell: Host["tell"]): Promise<number> {
  const tree = await openTree(folder);
  const team = await teamAtWork(tree.store);
  if (team) {
    const stopped = `The team at work in this tree is stopped (process ${team.pid}, run ${team.runId}).`;
    return tellRunner({ tree, runId: team.runId, tell: () => tell(stopped) }, "stop");
  }
  const runId = await activeRun(tree);
  if ((await runnerOf(tree.store, runId)) === undefined) {
    tell(`Run ${runId} is not going on right now: it is suspended already. superteam resume goes on with it.`);
    return exitCodes.finished;
  }
  return tellRunner({ tree, runId, tell }, "stop");
}

export async function abort(folder: string, tell: Host["tell"], why = byCommand): Promise<number> {
  const tree = await openTree(folder);
  const runId = await activeRun(tree);
  if ((await runnerOf(tree.store, runId)) !== undefined) return tellRunner({ tree, runId, tell }, "abort");
  return locked(tree, runId, async () => {
    const { folder: kept } = tree.store.paths(runId);
    const journal = await openOrForget(tree, kept, tell);
    try {
      if (journal) await endHere({ tree, runId, tell }, journal, why);
    } finally {
      await journal?.close();
    }
    tell(`Run ${runId} is ended. Its journal is kept in ${kept}.`);
    return exitCodes.finished;
  });
}

const byCommand = "ended by `superteam abort`";

/** A journal that cannot be read must not hold the tree for ever: the run is no longer active, and its files stay. */
async function openOrForget(tree: Tree, folder: string, tell: Host["tell"]): Promise<Journal | undefined> {
  try {
    return (await openFileJournal({ folder })).journal;
  } catch (error) {
    if (!(error instanceof JournalFailure && error.kind === "unreadable")) throw error;
    tell(error.message);
    await tree.store.clearActive();
    await removeSnapshot(tree.place.root);
    return undefined;
  }
}

interface Live {
  readonly tree: Tree;
  readonly runId: string;
  readonly tell: Host["tell"];
}

async function tellRunner({ tree, runId, tell }: Live, kind: "stop" | "abort"): Promise<number> {
  const sent = await send(tree.store.paths(runId).inbox, { kind }, { waitMs: receiptMs });
  if (sent.how !== "received") throw new Problem(sent.text, exitCodes.failed);
  tell(sent.receipt.text);
  return sent.receipt.ok ? exitCodes.finished : exitCodes.failed;
}

async function endHere({ tree, runId, tell }: Live, journal: Journal, detail: string): Promise<void> {
  await settleLives(tree, runId, journal);
  const ending: Ending = { how: "aborted", detail };
  await journal.append({ type: "end", ending }, { sync: true });
  await retire(tree, { view: viewOf(journal.entries), how: ending.how });
  await removeSnapshot(tree.place.root);
  // The run has ended whether or not the file that says so can be written.
  await leaveProgress(tree.place.root, journal.entries).catch((cause: Error) => tell(cause.message));
  const left = await unfinishedLines(tree, journal.entries);
  tell([formatReport(viewOf(journal.entries)), ...left].join("\n"));
}

/** As whoever goes on with a run does first: what its agents have used is part of its cost, also when it was killed. */
async function settleLives({ store }: Tree, runId: string, journal: Journal): Promise<void> {
  await journal.append(
    { type: "session", pid: process.pid, versions: { node: process.versions.node } },
    { sync: false },
  );
  const tally = new Tally();
  const dispatches = dispatchFolders(store.paths(runId).dispatches);
  const traces = { journal, watch: () => undefined, clock: { now: Date.now }, agents: piLeftovers, dispatches };
  await settleEarlierLives(counting(traces, tally), tally);
}
