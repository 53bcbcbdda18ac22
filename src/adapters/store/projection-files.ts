// The files that others read while a run is running, in a working tree.

import type { ProjectionFiles } from "../../ports/documents.ts";
import { latestWriter } from "../files/latest-writer.ts";
import { documents } from "./documents.ts";
import { snapshotFile } from "./snapshot.ts";

/** How much time is at least between two writes of a file. */
export interface Pace {
  readonly snapshotMs: number;
  readonly progressMs: number;
}

const usualPace: Pace = { snapshotMs: 250, progressMs: 1000 };

export function projectionFiles(root: string, pace = usualPace): ProjectionFiles {
  return {
    documents: documents(root),
    snapshot: (trouble) => snapshotFile({ root, clock: { now: Date.now }, everyMs: pace.snapshotMs, trouble }),
    latest: (put, trouble) => latestWriter({ everyMs: pace.progressMs, put, trouble }),
  };
}
