// superteam status: where the active run stands. It only reads, so it answers at once, also while another process runs.

import { taskProgress } from "../../../engine/views/fold/tasks.ts";
import { quotaWait } from "../../../engine/views/show/status.ts";
import { lookAtActive, lookAtLine } from "../../../runs/look/look.ts";
import { statusText } from "../../../runs/look/status.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print, printWords } from "../say.ts";

export async function status({ folder, json }: { readonly folder: string; readonly json?: boolean }): Promise<void> {
  if (json) return print(JSON.stringify(await statusObject(folder)));
  await printWords(await statusText(await runsAt(folder), Date.now()));
}

async function statusObject(folder: string) {
  const runs = await runsAt(folder);
  const look = await lookAtActive(runs);
  const { inLine } = await lookAtLine(runs);
  if (look === undefined) return { active: false, inLine };
  const { toSnapshot } = await import("../../../engine/views/files/snapshot.ts");
  const { view, owner, damage = null } = look;
  const more = { taskProgress: taskProgress(view), waitsUntil: quotaWait(view) ?? null, inLine, damage };
  return { active: true, runner: owner ?? null, ...toSnapshot(view), ...more };
}
