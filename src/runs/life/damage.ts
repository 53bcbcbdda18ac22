// What happens to a run whose own folder, or git's, was removed or replaced while it was at work: an agent with a shell can do that. The
// journal is in memory too, so it is written again where that is all that is missing.

import { count, shortSha } from "../../core/text/format.ts";
import { viewOf } from "../../engine/views/fold/run-view.ts";
import { reasonOf } from "../../ports/failure.ts";
import type { Entry, Journal } from "../../ports/journal.ts";
import type { Lease, Runs } from "../../ports/runs.ts";
import { Problem } from "../problem.ts";

export interface Kept {
  readonly lease: Pick<Lease, "lost" | "replaced">;
  readonly runId: string;
  readonly journal: Pick<Journal, "entries">;
  readonly place: { readonly runs: Runs };
}

/** Whether the run can be continued from where it is kept. */
export async function isWhole({ lease, runId, place: { runs } }: Kept): Promise<boolean> {
  return (await lease.replaced()) === undefined && (await runs.hasBegun(runId).catch(() => false));
}

/** Says what happened, what there still is and what to do; undefined when all of it is there. */
export async function damageTo(kept: Kept): Promise<Problem | undefined> {
  const { lease, runId, journal, place } = kept;
  if (journal.entries.length === 0 || (await isWhole(kept))) return undefined;
  const replaced = await lease.replaced();
  const lines = replaced === undefined ? await withoutFolder(place.runs, runId, journal.entries) : [replaced];
  return new Problem([...lines, ...committed(runId, journal.entries)].join("\n"), "not-possible");
}

async function withoutFolder(runs: Runs, runId: string, entries: readonly Entry[]): Promise<readonly string[]> {
  const where = runs.where(runId);
  const what = `${where}, where the run was kept, was removed or replaced while it was at work, so it had to stop.`;
  try {
    const isOver = await writeAgain(runs, runId, entries);
    const again = "Its journal was written again from memory; only the agents' own records are gone.";
    return isOver
      ? [
          `${where}, where the run was kept, was removed or replaced just as it ended.`,
          again,
          `superteam report ${runId} shows what it did.`,
        ]
      : [what, `${again} Continue: superteam resume`];
  } catch (cause) {
    const why = `It could not be written again (${reasonOf(cause)}), so this run cannot be continued.`;
    return [what, why, "Move away whatever is there instead, then start again: superteam run"];
  }
}

/** Says whether the run is over. */
async function writeAgain(runs: Runs, runId: string, entries: readonly Entry[]): Promise<boolean> {
  await runs.writeAgain(runId, entries);
  const [first] = entries;
  const becomesActive = first?.type === "run" && first.header.pipeline.becomesActive;
  const isOver = entries.some(({ type }) => type === "end");
  // Somebody may have started another run here meanwhile.
  if (becomesActive && !isOver && (await runs.readActive()) === undefined) await runs.writeActive(runId);
  return isOver;
}

/** What does not depend on the run's own folder. */
function committed(runId: string, entries: readonly Entry[]): readonly string[] {
  const shas = viewOf(entries).commits.map(({ sha }) => shortSha(sha));
  const made =
    shas.length === 0
      ? "The run has committed nothing."
      : `The run made ${count(shas.length, "commit")}: ${shas.join(", ")}.`;
  return [`${made} Trees that it saved: git for-each-ref refs/superteam/${runId}`];
}
