// The runs that wait in line, as whoever only looks is told of them. A line that cannot be read is told, and keeps nobody
// from seeing the rest.

import { existsSync } from "node:fs";
import type { RunStore } from "../../adapters/store/runs.ts";
import { lineText } from "../../engine/views/show/runs.ts";
import { OutsideFailure } from "../../ports/failure.ts";

export interface QueueLook {
  /** How many wait; null when nobody can say. */
  readonly inLine: number | null;
  /** What is printed of it: nothing when nobody waits. */
  readonly text: readonly string[];
}

export async function lookAtLine({ queue }: Pick<RunStore, "queue">): Promise<QueueLook> {
  // Most repositories have none, and reading one takes packages that are slow to load.
  if (!existsSync(queue)) return { inLine: 0, text: [] };
  const { queueOf } = await import("../../adapters/store/queue.ts");
  try {
    const runs = await queueOf(queue).list();
    return { inLine: runs.length, text: lineText(runs.map(({ goal }) => goal)) };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return { inLine: null, text: [error.message] };
  }
}
