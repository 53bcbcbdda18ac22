// The runs that wait in line, as whoever only looks is told of them. A line that cannot be read is told, and keeps nobody
// from seeing the rest.

import { lineText } from "../../engine/views/show/status.ts";
import { OutsideFailure } from "../../ports/failure.ts";
import type { Runs } from "../../ports/runs.ts";

export interface QueueLook {
  /** How many wait; null when nobody can say. */
  readonly inLine: number | null;
  /** What is printed of it: nothing when nobody waits. */
  readonly text: readonly string[];
}

export async function lookAtLine({ queue }: Pick<Runs, "queue">): Promise<QueueLook> {
  try {
    const waiting = await queue.list();
    return { inLine: waiting.length, text: lineText(waiting.map(({ goal }) => goal)) };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return { inLine: null, text: [error.message] };
  }
}
