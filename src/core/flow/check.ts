// A command the orchestrator ran itself. The exit code always counts.

import type { TestReport } from "../validation/results.ts";
import type { AroundPutBack, Head, Meanwhile } from "./repository.ts";

/**
 * `settings`, `staged`, `leftAlone`: what it did to git's own files, to what is staged, and beside that, if it did anything there. `outside`: to
 * git's settings elsewhere.
 */
export interface CheckOutcome
  extends Partial<Pick<AroundPutBack, "settings" | "settingsKept" | "outside" | "staged" | "filesKept" | "leftAlone">> {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of stdout and stderr together, bounded. */
  readonly output: string;
  readonly durationMs: number;
  /** The tree that was checked (its hash): the receipt is good for this tree only. null when it moved meanwhile. */
  readonly tree: string | null;
  /** Files that changed while it ran: put back, and kept under this ref. */
  readonly changed?: readonly string[];
  /** Where it left HEAD, if that was elsewhere: put back, and kept under the ref. */
  readonly movedTo?: Head;
  readonly backupRef?: string;
  readonly meanwhile?: Meanwhile;
  /** Where results were asked for: what it says of each test. */
  readonly tests?: TestReport;
}
