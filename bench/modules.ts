// How many of our modules a process loads: exact, where the time that loading takes drowns in noise.

import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Measured } from "./row.ts";

export interface Counted {
  /** For Node, before the program. */
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Counts those below a folder in what `start` starts with the options and the environment it is given. */
export async function modulesLoaded(
  places: { readonly below: string; readonly into: string },
  strain: number,
  start: (counted: Counted) => Promise<unknown>,
): Promise<Measured> {
  const preload = join(import.meta.dirname, "count-modules.ts");
  // Node names a module by where it really is.
  const below = await realpath(places.below);
  let loaded = 0;
  for (let time = 1; time <= strain; time++) {
    const into = join(places.into, `modules-${time}.txt`);
    await start({
      options: ["--import", preload],
      env: { ...process.env, COUNT_BELOW: below, COUNT_INTO: into },
    });
    loaded += (await readFile(into, "utf8")).trim().split("\n").length;
  }
  return { ratio: loaded, ours: loaded, theirs: 1, unit: "modules" };
}
