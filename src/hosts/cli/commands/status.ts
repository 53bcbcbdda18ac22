// superteam status: where the active run stands. It only reads, so it answers at once, also while another process runs.

import { readFileJournal } from "../../../adapters/journal/file.ts";
import { lockOwner } from "../../../adapters/store/lock.ts";
import { toSnapshot } from "../../../engine/views/state.ts";
import { statusLines } from "../../../engine/views/status.ts";
import { exitCodes } from "../problem.ts";
import { viewOf } from "../show.ts";
import { openTree } from "../tree.ts";

export async function status({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<number> {
  const { store } = await openTree(folder);
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
  const view = viewOf(entries);
  if (json) {
    print(JSON.stringify({ active: true, runner: owner ?? null, ...toSnapshot(view) }));
    return exitCodes.finished;
  }
  const life = owner === undefined ? "Suspended: superteam resume goes on." : `Going on in process ${owner.pid}.`;
  print([...statusLines(view, Date.now()), life].join("\n"));
  return exitCodes.finished;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
