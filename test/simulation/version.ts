// Which simulation a seed is of. A seed is a run only together with the code that draws from it: in another version of the simulation
// the same seed is another run.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** From the text of every file that takes part in a run; not of those that only count and print. */
export function simulationVersion(): string {
  const hash = createHash("sha256");
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).toSorted();
  const playing = files.filter(
    (file) => file.endsWith(".ts") && !/test\.ts$|^(?:main|campaign|known|planted|version|coverage)\.ts$/.test(file),
  );
  for (const file of playing) hash.update(`${file}\n${readFileSync(join(import.meta.dirname, file), "utf8")}`);
  return hash.digest("hex").slice(0, 8);
}

/** What to tell somebody who replays a seed of another version; undefined when it is of this one, or of one nobody named. */
export function otherVersion(named: string | undefined, now: string): string | undefined {
  if (named === undefined || named === now) return undefined;
  return `This seed is of version ${named} of the simulation, and this is version ${now}: it is another run. Check out the commit that printed it to see that one.`;
}
