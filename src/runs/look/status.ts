// Where the active run stands, for people. It only reads, so it answers at once, also while another process runs.

import { statusLines } from "../../engine/views/show/status.ts";
import type { Runs } from "../../ports/runs.ts";
import { teamAtWork } from "../at-work.ts";
import { lookAtActive, lookAtLine, type ObservedRun } from "./look.ts";

export async function statusText(runs: Runs, now: number): Promise<string> {
  const look = await lookAtActive(runs);
  const { text } = await lookAtLine(runs);
  const lines = look ? linesOf(look, now) : [noRun];
  const team = await teamAtWork(runs);
  const beside = team ? [`A team is at work in this tree: process ${team.pid}, run ${team.runId}.`] : [];
  return [...lines, ...beside, ...text].join("\n");
}

function damageLines(damage: string | undefined): readonly string[] {
  if (damage === undefined) return [];
  const next = "superteam resume moves the damaged part aside, counts what it cost, and continues from there.";
  return [`The journal is damaged: ${damage}. This is the state before that; ${next}`];
}

const noRun = 'No run is active in this tree. Start one: superteam run "<what to build>"';

function linesOf({ view, owner, damage }: ObservedRun, now: number): readonly string[] {
  const life = owner === undefined ? "Suspended: superteam resume continues." : `Running in process ${owner.pid}.`;
  return [...damageLines(damage), ...statusLines(view, { now, isAlive: owner !== undefined }), life];
}
