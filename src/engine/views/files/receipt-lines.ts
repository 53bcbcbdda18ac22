// The receipts in the report: for each complete task, what was run and who reviewed it, for which tree, at which cost and how long it took.

import { count, duration, shortSha, usd } from "../../../core/text/format.ts";
import { isGood } from "../../../core/validation/suite-verdict.ts";
import type { RunView, TaskView } from "../fold/shape.ts";

export function receiptLines(view: RunView): readonly string[] {
  const done = [...view.tasks.values()].filter(({ status, commit }) => status === "complete" && commit !== null);
  return done.flatMap((task) => {
    const receipts = [...checksOf(view, task), ...testsOf(view, task), ...reviewsOf(view, task)];
    return receipts.length === 0 ? [] : [`- Task ${task.number}: ${receipts.join("; ")}`];
  });
}

/** `npm run lint` passed in 2s for tree 1a2b3c4 */
function checksOf({ checks }: RunView, { id }: TaskView): readonly string[] {
  const own = [...checks.values()].filter(({ task, passed }) => task === id && passed);
  return own.map(({ command, tree, durationMs }) => `\`${command}\` passed in ${duration(durationMs)}${forTree(tree)}`);
}

/** The last run: the one that the commit needed. */
function testsOf({ tests }: RunView, { id }: TaskView): readonly string[] {
  const last = tests.runs.findLast(({ task }) => task === id);
  if (last === undefined || !isGood(last)) return [];
  const size = last.total === 0 ? "" : ` (${count(last.total, "test")})`;
  const ms = tests.tookMs.get(`${last.command}\n${last.tree}`);
  const took = ms === undefined ? "" : ` in ${duration(ms)}`;
  return [`\`${last.command}\` passed${took}${size}${forTree(last.tree)}`];
}

const forTree = (tree: string | null): string => (tree === null ? "" : ` for tree ${shortSha(tree)}`);

function reviewsOf({ spend }: RunView, { id, reviews }: TaskView): readonly string[] {
  return [...reviews.values()].map(({ role, verdict }) => {
    const line = [...spend.dispatches.values()].findLast((dispatch) => dispatch.task === id && dispatch.role === role);
    const bill =
      line === undefined ? "" : ` (${line.model ?? "no model"}, ${usd(line.usage.costUsd)}, ${duration(line.ms)})`;
    return `${role}: ${verdict}${bill}`;
  });
}
