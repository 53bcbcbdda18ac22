// superteam log: what happened, from the journal; of the run by that id, else the active one, else the last one. With
// --follow it goes on as it happens, until the run ends or nobody reads it any more.

import { logReader } from "../../../runs/look/log.ts";
import { chooseRun } from "../../../runs/look/look.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print } from "../say.ts";

export interface LogOptions {
  readonly folder: string;
  readonly id?: string | undefined;
  readonly json?: boolean;
  readonly follow?: boolean;
}

export async function log({ folder, id, json, follow }: LogOptions): Promise<void> {
  const runs = await runsAt(folder);
  const runId = await chooseRun(runs, id);
  const reader = logReader(json ?? false);
  if (!follow) {
    for (const line of reader.read(await runs.read(runId))) print(line);
    return;
  }
  const unread = new AbortController();
  process.stdout.once("error", () => unread.abort());
  for await (const entries of runs.follow(runId, unread.signal)) {
    for (const line of reader.read(entries)) print(line);
    if (reader.hasEnded()) return;
  }
}
