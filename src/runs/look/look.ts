// A run for commands that only read: from its journal, also while another process runs it.

import { viewOf } from "../../engine/views/fold/run-view.ts";
import type { RunView } from "../../engine/views/fold/shape.ts";
import { lineText } from "../../engine/views/show/status.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { LeaseOwner, Runs } from "../../ports/runs.ts";
import { runnerOf } from "../at-work.ts";

export interface ObservedRun {
  readonly view: RunView;
  /** The process that is at work on it. */
  readonly owner: LeaseOwner | undefined;
  /** What is wrong with its journal; the view is of what comes before. */
  readonly damage: string | undefined;
}

export async function lookAt(runs: Runs, runId: string): Promise<ObservedRun> {
  const { entries, damage } = await runs.examine(runId);
  const owner = await runnerOf(runs, runId);
  // Whoever is at work may be in the middle of a line.
  return { view: viewOf(entries), owner, damage: owner === undefined ? damage : undefined };
}

/** Undefined when no run is active. */
export async function lookAtActive(runs: Runs): Promise<ObservedRun | undefined> {
  const runId = await runs.readActive();
  return runId === undefined ? undefined : lookAt(runs, runId);
}

/**
 * How many runs are queued, and what is printed about it: nothing when none is. A queue that cannot be read is reported, and
 * keeps nobody from seeing the rest; nobody can say then how many wait.
 */
export async function lookAtLine({ queue }: Pick<Runs, "queue">) {
  try {
    const waiting = await queue.list();
    return { inLine: waiting.length, text: lineText(waiting.map(({ goal }) => goal)) };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return { inLine: null, text: [error.message] };
  }
}
