// superteam run, superteam resume, superteam answer: starts a run in this tree, or goes on with the active one.

import type { Watching } from "../../../runs/host.ts";
import * as runs from "../../../runs/start.ts";
import { type Asking, hostOf } from "../people.ts";

export async function start(options: runs.StartOptions & Asking, watching: Watching | undefined): Promise<number> {
  return runs.start(options, await hostOf(options, watching));
}

export async function resume(options: runs.RunOptions & Asking, watching: Watching | undefined): Promise<number> {
  return runs.resume(options, await hostOf(options, watching));
}

export async function startNext(options: runs.RunOptions & Asking, watching: Watching | undefined): Promise<number> {
  return (await import("../../../runs/next.ts")).startNext(options, await hostOf(options, watching));
}
