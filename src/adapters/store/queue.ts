// Runs that wait for their turn in this repository, in order.

import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { modes } from "../../core/config.ts";
import type { Queue } from "../../ports/world.ts";
import { writeAtomically } from "./atomic.ts";
import { readIfPresent } from "./present.ts";

const Waiting = z.object({ goal: z.string(), mode: z.enum(modes), branch: z.string(), mark: z.string() });
export type Waiting = z.infer<typeof Waiting>;

const File = z.object({ v: z.literal(1), runs: z.array(Waiting) });

export interface RunQueue extends Queue {
  list(): Promise<readonly Waiting[]>;
  remove(run: Waiting): Promise<void>;
}

export function queueOf(path: string): RunQueue {
  const list = async (): Promise<readonly Waiting[]> => {
    const text = await readIfPresent(path);
    return text === undefined ? [] : File.parse(JSON.parse(text)).runs;
  };
  const save = async (runs: readonly Waiting[]): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, `${JSON.stringify({ v: 1, runs }, null, 2)}\n`);
  };
  return {
    list,
    async add(runs, mark) {
      const waiting = await list();
      if (waiting.some((run) => run.mark === mark)) return;
      await save([...waiting, ...runs.map((run) => ({ ...run, mark }))]);
    },
    async remove(run) {
      const waiting = await list();
      await save(waiting.filter(({ mark, branch }) => mark !== run.mark || branch !== run.branch));
    },
  };
}
