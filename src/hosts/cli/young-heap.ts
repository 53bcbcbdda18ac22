// How much memory what lives only briefly may take while a run goes on. Node doubles it every now and then, version 24 up to 128 MB,
// to spend less time on collecting: a process that waits for agents gains nothing by that, and its user has the memory less.

import { setFlagsFromString } from "node:v8";

/** It stays as large as it is when this is called: with all of superteam loaded that is 32 MB, as much as Node 22 takes at most. */
export function keepYoungHeap(): void {
  // Another runtime has another heap.
  if (process.versions["bun"] === undefined) setFlagsFromString("--semi-space-growth-factor=1");
}
