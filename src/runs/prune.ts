// superteam runs prune: removes the stored data of runs that ended, so that the store does not grow endlessly. What they cost stays in the
// history, which forecasts use.

import { bytes, count } from "../core/text/format.ts";
import type { Runs } from "../ports/runs.ts";
import { runLines } from "./look/past.ts";

export interface PruneOptions {
  /** How many of those that ended stay, the newest. */
  readonly keep: number;
  readonly dryRun: boolean;
  /** Removes what git keeps for a run: its refs. */
  readonly forget: (runId: string) => Promise<void>;
}

export interface Pruned {
  readonly runs: readonly { readonly runId: string; readonly goal: string }[];
  readonly bytes: number;
  /** How many stay, of those that ended and of those that did not. */
  readonly kept: { readonly ended: number; readonly unfinished: number };
}

export async function prune(runs: Runs, { keep, dryRun, forget }: PruneOptions): Promise<Pruned> {
  const lines = await runLines(runs);
  const ended = lines.filter(({ how }) => how === "finished" || how === "failed" || how === "aborted");
  const chosen = ended.slice(0, Math.max(0, ended.length - keep));
  let freed = 0;
  for (const { runId } of chosen) {
    freed += await runs.size(runId);
    if (dryRun) continue;
    // The refs first: without its folder nobody would know of the run any more.
    await forget(runId);
    await runs.remove(runId);
  }
  return {
    runs: chosen.map(({ runId, goal }) => ({ runId, goal })),
    bytes: freed,
    kept: { ended: ended.length - chosen.length, unfinished: lines.length - ended.length },
  };
}

export function pruneLines({ runs, bytes: freed, kept: left }: Pruned, dryRun: boolean): readonly string[] {
  const kept = `Kept: ${count(left.ended, "run")} that ended, ${left.unfinished} that did not.`;
  if (runs.length === 0) return [`Nothing to remove. ${kept}`];
  const removed = `${count(runs.length, "run")}, ${bytes(freed)}`;
  return [
    ...runs.map(({ runId, goal }) => `${runId}  ${goal}`),
    dryRun
      ? `${removed} would be removed. ${kept}`
      : `${removed} removed, with the undone work that was saved for them. ${kept}`,
  ];
}

/** All that is kept, in words. */
export async function storeText(runs: Runs): Promise<string> {
  const ids = await runs.list();
  const sizes = await Promise.all(ids.map((runId) => runs.size(runId)));
  return `${count(ids.length, "run")}, ${bytes(sizes.reduce((sum, size) => sum + size, 0))}`;
}
