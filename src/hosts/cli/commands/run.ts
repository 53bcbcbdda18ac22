// superteam run, resume, answer and abort: starts a run in this tree, continues the active one, or ends it for good.

import * as answering from "../../../runs/answer.ts";
import * as ending from "../../../runs/end.ts";
import type { RunHandle, RunOptions, StartOptions } from "../../../runs/handle.ts";
import type { Host } from "../../../runs/host.ts";
import { startNext } from "../../../runs/life/next.ts";
import type { AnswerOptions } from "../../../runs/live.ts";
import * as starting from "../../../runs/start.ts";
import { exitCodeOf, exitCodes } from "../../exit-code.ts";
import { refuseOwnWishes } from "../../run-options.ts";
import { workplaceAt, workplaceToEnd } from "../../wiring/workplace-at.ts";
import type { Asking } from "../asking.ts";
import { hostOf } from "../host.ts";
import { print, sayWords } from "../say.ts";
import { goalOf } from "./goal.ts";
import { tellWhose, whoseWords } from "./live.ts";

/** Where, and with whom. */
type Here = Asking & { readonly folder: string };

/** The words are what to build; asked for when there are none. */
export async function run(
  words: readonly string[],
  options: Omit<StartOptions, "goal"> & Here & { readonly next?: boolean; readonly file?: string },
  watch: Host["watch"],
): Promise<number> {
  if (options.next) {
    refuseOwnWishes(options.file ?? words.join(" "), options);
    const host = await hostOf(options, watch);
    return codeOf(await startNext(await workplaceAt(options.folder), options, host));
  }
  const { file, ...wishes } = options;
  return start({ ...wishes, goal: await goalOf(words, file, options) }, watch);
}

export async function start(options: StartOptions & Here, watch: Host["watch"]): Promise<number> {
  const host = await hostOf(options, watch);
  return codeOf(await starting.start(await workplaceAt(options.folder), { by: whoseWords(), ...options }, host));
}

export async function resume(options: RunOptions & Here, watch: Host["watch"]): Promise<number> {
  const host = await hostOf(options, watch);
  return codeOf(await starting.resume(await workplaceAt(options.folder), options, host));
}

export async function answer(options: AnswerOptions & Here, watch: Host["watch"]): Promise<number> {
  const by = whoseWords();
  tellWhose(by);
  const host = await hostOf(options, watch);
  const at = performance.timeOrigin;
  const resumed = await answering.answer(await workplaceAt(options.folder), { by, at, ...options }, host);
  return resumed ? codeOf(resumed) : exitCodes.finished;
}

export async function abort(folder: string, json = false): Promise<void> {
  const said = await ending.abort(await workplaceToEnd(folder));
  if (json) print(JSON.stringify({ said: said.join("\n") }));
  else for (const text of said) await sayWords(text);
}

async function codeOf({ ended }: RunHandle): Promise<number> {
  return exitCodeOf(await ended);
}
