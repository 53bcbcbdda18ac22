// A run as whoever only looks sees it: read from its journal, also while another process runs it.

import { stat } from "node:fs/promises";
import { findGitFolders } from "../../adapters/files/git-folders.ts";
import { ifPresent } from "../../adapters/files/present.ts";
import { readFileJournal } from "../../adapters/journal/file.ts";
import { type LockOwner, lockOwner } from "../../adapters/store/lock.ts";
import { type RunStore, runStore } from "../../adapters/store/runs.ts";
import { applyEntry } from "../../engine/views/fold/run-view.ts";
import { emptyView, type RunView } from "../../engine/views/fold/shape.ts";
import { Problem } from "../problem.ts";

export interface ObservedRun {
  readonly view: RunView;
  /** The process that is at work on it. */
  readonly owner: LockOwner | undefined;
}

/** The run store of the tree a folder is in; git's own word, and its reasons, when there is no working tree. */
export async function storeOf(folder: string): Promise<RunStore> {
  return runStore((await findGitFolders(folder)) ?? (await (await import("../tree.ts")).openTree(folder)).place);
}

/** The run by that id or a part of it, else the active one, else the last one. */
export async function chooseRun(store: RunStore, id: string | undefined): Promise<string> {
  const runs = await store.list();
  const runId = id === undefined ? ((await store.readActive()) ?? (await lastBegun(store, runs))) : named(runs, id);
  if (runId !== undefined) return runId;
  throw new Problem(
    'There has been no run in this repository. Start one: superteam run "<what to build>"',
    "wrong-usage",
  );
}

/** The last letters of an id, or how it begins, are enough where only one run has them. */
function named(runs: readonly string[], id: string): string {
  if (runs.includes(id)) return id;
  const [found, ...others] = runs.filter((runId) => id !== "" && (runId.startsWith(id) || runId.endsWith(id)));
  if (found === undefined) throw new Problem(unknown(id), "wrong-usage");
  if (others.length === 0) return found;
  throw new Problem(
    `${JSON.stringify(id)} can be any of ${[found, ...others].join(", ")}. Give more of the one you mean.`,
    "wrong-usage",
  );
}

/** A run that was killed before its first entry has a folder and nothing to look at. */
async function lastBegun(store: RunStore, runs: readonly string[]): Promise<string | undefined> {
  for (const runId of runs.toReversed()) {
    const journal = await ifPresent(stat(store.paths(runId).journal));
    if (journal && journal.size > 0) return runId;
  }
  return undefined;
}

/** The process that is at work on this run here: another one may hold the tree for a team beside a suspended run. */
export async function runnerOf({ lock }: Pick<RunStore, "lock">, runId: string): Promise<LockOwner | undefined> {
  const owner = await lockOwner(lock);
  return owner?.runId === runId ? owner : undefined;
}

/** The process in which a team is at work here. A run holds the tree too for a moment before it is active, and after. */
export async function teamAtWork(store: RunStore): Promise<LockOwner | undefined> {
  const owner = await lockOwner(store.lock);
  if (owner === undefined || owner.runId === (await store.readActive())) return undefined;
  const { team } = await import("../../pipelines/team.ts");
  const journal = readFileJournal(store.paths(owner.runId).folder);
  // It may not have begun yet.
  const [first] = await journal.then(({ entries }) => entries).catch(() => []);
  return first?.type === "run" && first.header.pipeline === team.name ? owner : undefined;
}

export async function lookAt(store: RunStore, runId: string): Promise<ObservedRun> {
  const { entries } = await readFileJournal(store.paths(runId).folder);
  const owner = await runnerOf(store, runId);
  const view = emptyView();
  for (const entry of entries) applyEntry(view, entry);
  return { view, owner };
}

function unknown(id: string): string {
  return `There is no run ${JSON.stringify(id)} in this repository. superteam runs lists those there are.`;
}
