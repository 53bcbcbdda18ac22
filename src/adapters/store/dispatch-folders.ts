// Where the dispatches of a run are kept: a folder each, in which the watchdog says when the agent was gone.

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatches } from "../../ports/runs.ts";

/** How long the watchdog may take to say that an agent is gone: it sends TERM, waits, and sends KILL. */
const watchdogMs = 8000;

export function dispatchFolders(parent: string): Dispatches {
  const folder = (id: string): string => join(parent, id);
  return {
    folder,
    async goneAt(id) {
      const { goneAt } = await import("../process/gone.ts");
      for (const until = Date.now() + watchdogMs; ; await delay(50)) {
        const at = await goneAt(folder(id));
        if (at !== null) return at;
        if (Date.now() > until) return undefined;
      }
    },
  };
}
