// A run that has begun: its journal has the first entry.

import { bareOutline } from "../../../src/core/run/pipeline.ts";
import type { EntryBody } from "../../../src/ports/journal.ts";
import type { Runs } from "../../../src/ports/runs.ts";

export const header = (runId: string): EntryBody => ({
  type: "run",
  header: { runId, pipeline: bareOutline("superteam"), input: { goal: "x" }, startedAt: 1 },
});

export async function begin(runs: Runs): Promise<string> {
  const id = runs.newId();
  const journal = await runs.create(id);
  await journal.append(header(id), { sync: true });
  await journal.close();
  return id;
}
