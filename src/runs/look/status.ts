// Where the active run stands, for people. It only reads, so it answers at once, also while another process runs.

import type { RunStore } from "../../adapters/store/runs.ts";
import { statusLines } from "../../engine/views/show/status.ts";
import { lookAt, storeOf, teamAtWork } from "./look.ts";
import { lookAtLine } from "./queue.ts";

export async function statusText(folder: string): Promise<string> {
  const store = await storeOf(folder);
  const runId = await store.readActive();
  const { text } = await lookAtLine(store);
  const lines = runId === undefined ? [noRun] : await linesOf(store, runId);
  const team = await teamAtWork(store);
  const beside = team ? [`A team is at work in this tree: process ${team.pid}, run ${team.runId}.`] : [];
  return [...lines, ...beside, ...text].join("\n");
}

const noRun = 'No run is active in this tree. Start one: superteam run "<what to build>"';

async function linesOf(store: RunStore, runId: string): Promise<readonly string[]> {
  const { view, owner } = await lookAt(store, runId);
  const life = owner === undefined ? "Suspended: superteam resume goes on." : `Going on in process ${owner.pid}.`;
  return [...statusLines(view, { now: Date.now(), isAlive: owner !== undefined }), life];
}
