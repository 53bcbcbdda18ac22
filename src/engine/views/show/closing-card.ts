// The last thing on the screen of a finished run: the result in a few lines, and how to look at it or undo it.

import { count, duration, listed, oneLine, shortSha, shortUsd, usd } from "../../../core/text/format.ts";
import { ceremonyRatio } from "../fold/ledger.ts";
import { changedFiles, changedLines, linesText, workIn } from "../fold/outcomes.ts";
import { doubtAboutAll, type RunView } from "../fold/shape.ts";
import { countTasks, goneTasks } from "../fold/tasks.ts";
import { budgetOf } from "./money.ts";
import { proofText } from "./proof-text.ts";

/** Empty for a run without tasks. */
export function closingCard(view: RunView): readonly string[] {
  const { complete, skipped } = countTasks(view);
  if (complete.length + skipped.length === 0) return [];
  const work = workIn(view);
  const last = work.at(-1);
  const undo = work.map(({ sha }) => shortSha(sha)).toReversed();
  return [
    // A check mark is for work that a check has passed (T1), and that is there.
    `${doubtAboutAll(view) === "" && goneTasks(view).length === 0 ? "✓" : "🔸"} ${oneLine(view.goal, 120)}`,
    `  ${joined([
      `${count(complete.length, "task")} in ${count(work.length, "commit")}`,
      skipped.length === 0 ? "" : `${skipped.length} skipped`,
      changeText(view),
      doubtAboutAll(view),
    ])}`,
    ...linesOf(proofText(view)),
    ...openLines(view),
    ...goneLines(view),
    `  ${costLine(view)}`,
    `  Look: superteam report${last ? ` · git show ${shortSha(last.sha)}` : ""}`,
    ...(undo.length === 0 ? [] : [`  Undo: git revert --no-edit ${undo.join(" ")}`]),
  ];
}

/** `+412 −18 in 11 files` */
function changeText(view: RunView): string {
  const files = count(changedFiles(view).length, "file");
  const lines = changedLines(view);
  return lines === undefined ? `${files} changed` : `${linesText(lines.values())} in ${files}`;
}

/** What the person should know before they call it done. */
function openLines({ deferred, waivers, warnings }: RunView): readonly string[] {
  const open = joined([
    deferred.length === 0 ? "" : `${count(deferred.length, "finding")} left for later`,
    waivers.length === 0 ? "" : `${count(waivers.length, "problem")} accepted by you`,
    warnings.length === 0 ? "" : count(warnings.length, "warning"),
  ]);
  return linesOf(open);
}

/** Work that was done and is not there. */
function goneLines(view: RunView): readonly string[] {
  const gone = goneTasks(view);
  if (gone.length === 0) return [];
  const which = `${gone.length === 1 ? "task" : "tasks"} ${listed(gone.map(({ number }) => `${number}`))}`;
  const commits = gone.map(({ commit }) => shortSha(commit ?? ""));
  return [
    `  HEAD was moved: the history no longer has ${which}`,
    `  To get it back: git cherry-pick ${commits.join(" ")}`,
  ];
}

/** `$0.56 of $20 · 22s · planning and review 48 %` */
function costLine(view: RunView): string {
  const limit = budgetOf(view)?.hardLimitUsd;
  const ratio = ceremonyRatio(view);
  return joined([
    `${usd(view.spend.total.costUsd)}${limit === undefined ? "" : ` of ${shortUsd(limit)}`}`,
    duration(view.activeMs),
    ratio === null ? "" : `planning and review ${Math.round(ratio * 100)} %`,
  ]);
}

const linesOf = (text: string): readonly string[] => (text === "" ? [] : [`  ${text}`]);
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");
