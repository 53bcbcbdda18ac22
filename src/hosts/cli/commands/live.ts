// superteam stop, and abort and answer while a process works on the run: they only send it a message, so they load nothing that a run needs.

import type { Answerer } from "../../../core/flow/question.ts";
import { activeRun } from "../../../runs/active.ts";
import { abortLive, answerIfLive, stop as stopRun } from "../../../runs/live.ts";
import { runsAt } from "../../wiring/runs-at.ts";
import { print, say, sayWords } from "../say.ts";

export async function stop(folder: string, json = false): Promise<void> {
  const said = await stopRun(await runsAt(folder));
  if (json) print(JSON.stringify({ said }));
  else await sayWords(said);
}

/** False where no process is at work on the run. */
export async function tellAbort(folder: string): Promise<boolean> {
  const runs = await runsAt(folder);
  return tell(await abortLive(runs, await activeRun(runs)));
}

/** False where no process is at work on the run. */
export async function tellAnswer(folder: string, value: string, id: string | undefined): Promise<boolean> {
  const by = whoseWords();
  const at = performance.timeOrigin;
  const told = await answerIfLive(await runsAt(folder), { value, by, at, ...(id === undefined ? {} : { id }) });
  if (told !== undefined) tellWhose(by);
  return tell(told);
}

async function tell(receipt: string | undefined): Promise<boolean> {
  if (receipt !== undefined) await sayWords(receipt);
  return receipt !== undefined;
}

/** pi tells what its model runs in a shell of which session that is, and does not tell what a person runs there. */
export function whoseWords(): Answerer {
  return process.env["PI_SESSION_ID"] === undefined ? "person" : "model";
}

export function tellWhose(by: Answerer): void {
  if (by === "model") say("A model of pi runs this command (PI_SESSION_ID is set): the answer counts as a model's.");
}
