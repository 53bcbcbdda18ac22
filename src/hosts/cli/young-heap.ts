// Limits the young generation of Node's heap during a run. Node keeps doubling it, up to 128 MB in version 24, to collect less often. A process
// that waits for agents gains nothing from that, and the memory is missing elsewhere.

import { setFlagsFromString } from "node:v8";

/** It stays as large as it is when this is called: with all of superteam loaded that is 32 MB, as much as Node 22 takes at most. */
export function keepYoungHeap(): void {
  // Another runtime has another heap.
  if (process.versions["bun"] === undefined) setFlagsFromString("--semi-space-growth-factor=1");
}
