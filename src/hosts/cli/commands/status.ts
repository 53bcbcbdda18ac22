// superteam status: where the active run stands. It only reads, so it answers at once, also while another process runs.

import { quotaWait } from "../../../engine/views/quota.ts";
import { toSnapshot } from "../../../engine/views/state.ts";
import { statusLines } from "../../../engine/views/status.ts";
import { taskProgress } from "../../../engine/views/task-progress.ts";
import { lookAt, storeOf } from "../../run/look.ts";
import { exitCodes } from "../../run/problem.ts";
import { print } from "../say.ts";

export async function status({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<number> {
  const store = await storeOf(folder);
  const runId = await store.readActive();
  if (runId === undefined) {
    print(
      json
        ? JSON.stringify({ active: false })
        : 'No run is active in this tree. Start one: superteam run "<what to build>"',
    );
    return exitCodes.finished;
  }
  const { view, owner } = await lookAt(store, runId);
  if (json) {
    const more = { taskProgress: taskProgress(view), waitsUntil: quotaWait(view) ?? null };
    print(JSON.stringify({ active: true, runner: owner ?? null, ...toSnapshot(view), ...more }));
    return exitCodes.finished;
  }
  const life = owner === undefined ? "Suspended: superteam resume goes on." : `Going on in process ${owner.pid}.`;
  print([...statusLines(view, { now: Date.now(), isAlive: owner !== undefined }), life].join("\n"));
  return exitCodes.finished;
}
