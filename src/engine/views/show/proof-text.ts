// What shows that the work is done, in a few words: how the tests ended, and whether every requirement is met.

import { listed } from "../../../core/text/format.ts";
import { isGood } from "../../../core/validation/suite-verdict.ts";
import { requirementsOf } from "../fold/requirements.ts";
import { type ComparedTests, doubtAboutAll, type RunView } from "../fold/shape.ts";
import { isGone } from "../fold/tasks.ts";

/** `Tests 37 ✓ (12 new, 1 that was red passes) · R1 to R5 met`; empty where nothing is known of either. */
export function proofText(view: RunView): string {
  return [testsText(view), requirementsText(view)].filter((text) => text !== "").join(" · ");
}

function testsText(view: RunView): string {
  const { baselines, runs } = view.tests;
  const baseline = baselines.at(-1);
  // The work of a task that was skipped is no longer there.
  const kept = runs.filter(({ task }) => task === null || view.tasks.get(task)?.status !== "skipped");
  const last = kept.at(-1);
  if (!baseline || last?.command !== baseline.command || doubtAboutAll(view) !== "") return "";
  if (baseline.reporter === null) return isGood(last) ? "Tests ✓" : "Tests fail";
  if (last.total === 0) return "";
  const changes = [
    baselines.length === 1 && last.total > baseline.total ? `${last.total - baseline.total} new` : "",
    repairedText(kept, last),
    last.vanished.length === 0 ? "" : `${last.vanished.length} no longer run`,
  ].filter((text) => text !== "");
  return `Tests ${last.total}${stateOf(last)}${changes.length === 0 ? "" : ` (${changes.join(", ")})`}`;
}

function stateOf(last: ComparedTests): string {
  const { broken, unfinished, preExisting } = last;
  if (!isGood(last)) return `, ${broken.length + unfinished.length + preExisting.length} red`;
  return preExisting.length === 0 ? " ✓" : `, ${preExisting.length} red as before`;
}

/** Tests that were red and stayed green. */
function repairedText(runs: readonly ComparedTests[], last: ComparedTests): string {
  const red = new Set([...last.broken, ...last.preExisting]);
  const green = new Set(runs.flatMap(({ repaired }) => repaired).filter((name) => !red.has(name)));
  if (green.size === 0) return "";
  return `${green.size} that ${green.size === 1 ? "was red passes" : "were red pass"}`;
}

function requirementsText(view: RunView): string {
  const requirements = requirementsOf(view);
  const open = requirements.filter(({ met }) => met.every(({ commit }) => isGone(view, commit))).map(({ id }) => id);
  if (open.length > 0) return `not met: ${listed(open)}`;
  const [first, last] = [requirements[0]?.id, requirements.at(-1)?.id];
  if (first === undefined) return "";
  return first === last ? `${first} met` : `${first} to ${last} met`;
}
