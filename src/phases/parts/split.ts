// Parts that are independent of each other become runs of their own, queued behind this one, which ends here.

import { type Flow, head, type QueuedRun, queue } from "../../core/flow/flow.ts";
import type { Head } from "../../core/flow/repository.ts";
import type { Part } from "../../core/plan/triage.ts";
import type { Mode } from "../../core/run/config.ts";
import { type RunDocuments, slug } from "../../core/run/document-paths.ts";
import type { Report } from "../../core/run/report.ts";
import { notOffered } from "../finish/docs.ts";
import { close } from "../finish/finalize.ts";
import { notReviewed } from "../finish/whole-review.ts";

export interface SplitGoal extends Pick<QueuedRun, "dryRun" | "skipBrainstorm"> {
  readonly goal: string;
  readonly mode: Mode;
  readonly parts: readonly Part[];
}

/** Each begins where this run ends, its documents committed. */
export function* split(whole: SplitGoal, documents: RunDocuments): Flow<Report> {
  const { goal, mode, parts } = whole;
  const queued = parts.map(({ title }) => title);
  const report: Report = { goal, tasks: [], final: notReviewed, docs: notOffered, waivers: [], queued };
  yield* close(report, mode, documents);
  const { sha, branch } = yield* head();
  yield* queue(runsOf(whole, { sha, branch }));
  return report;
}

export function runsOf({ goal, mode, parts, dryRun, skipBrainstorm }: SplitGoal, base: Head): readonly QueuedRun[] {
  const names = parts.map(({ title }) => `superteam/${slug(title)}`);
  return parts.map(({ title, scope }, index) => {
    const name = names[index] ?? "";
    const same = names.slice(0, index).filter((other) => other === name).length;
    return {
      goal: `${title}: ${scope}\n\nThis is part ${index + 1} of ${parts.length} of a larger goal; the others are done elsewhere. The larger goal: ${goal}`,
      mode,
      branch: same === 0 ? name : `${name}-${same + 1}`,
      base,
      dryRun,
      skipBrainstorm,
    };
  });
}
