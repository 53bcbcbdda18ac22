// superteam status: where the active run stands. It only reads, so it answers at once, also while another process runs.

import { readFileJournal } from "../../../adapters/journal/file.ts";
import { findGitFolders } from "../../../adapters/store/git-folders.ts";
import { lockOwner } from "../../../adapters/store/lock.ts";
import { type GitFolders, runStore } from "../../../adapters/store/runs.ts";
import { quotaWait } from "../../../engine/views/quota.ts";
import { applyEntry, emptyView } from "../../../engine/views/run-view.ts";
import { toSnapshot } from "../../../engine/views/state.ts";
import { statusLines } from "../../../engine/views/status.ts";
import { taskProgress } from "../../../engine/views/task-progress.ts";
import { exitCodes } from "../problem.ts";

export async function status({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<number> {
  const store = runStore((await findGitFolders(folder)) ?? (await gitFolders(folder)));
  const runId = await store.readActive();
  if (runId === undefined) {
    print(
      json
        ? JSON.stringify({ active: false })
        : 'No run is active in this tree. Start one: superteam run "<what to build>"',
    );
    return exitCodes.finished;
  }
  const { entries } = await readFileJournal(store.paths(runId).folder);
  const owner = await lockOwner(store.lock);
  const view = emptyView();
  for (const entry of entries) applyEntry(view, entry);
  if (json) {
    const more = { taskProgress: taskProgress(view), waitsUntil: quotaWait(view) ?? null };
    print(JSON.stringify({ active: true, runner: owner ?? null, ...toSnapshot(view), ...more }));
    return exitCodes.finished;
  }
  const life = owner === undefined ? "Suspended: superteam resume goes on." : `Going on in process ${owner.pid}.`;
  print([...statusLines(view, { now: Date.now(), isAlive: owner !== undefined }), life].join("\n"));
  return exitCodes.finished;
}

/** git's own word, and its reasons when there is no working tree. */
async function gitFolders(folder: string): Promise<GitFolders> {
  return (await (await import("../tree.ts")).openTree(folder)).place;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
