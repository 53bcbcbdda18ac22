// The final report, as an engineer hands work over: what was built, where each requirement is met and which tests show it,
// what was decided with the person, what is open, how to undo it; then what it cost.

import { tokensOf } from "../../../core/flow/dispatch.ts";
import { answerers, deciders } from "../../../core/flow/question.ts";
import { claimLines, inSentences } from "../../../core/run/own-words.ts";
import { uncheckedTexts } from "../../../core/run/unchecked.ts";
import { isTestFile } from "../../../core/test-first/source-file.ts";
import { count, duration, listed, nameText, oneLine, sentence, shortSha, usd } from "../../../core/text/format.ts";
import { ceremonyRatio } from "../fold/ledger.ts";
import { changedFiles, changedLines, linesText, workIn } from "../fold/outcomes.ts";
import { requirementsOf } from "../fold/requirements.ts";
import {
  type CommitLine,
  doubtAbout,
  fieldsOf,
  idOf,
  type RunView,
  type TaskView,
  uncheckedBecause,
} from "../fold/shape.ts";
import { countTasks, isGone, taskSpend } from "../fold/tasks.ts";
import { actualOf, alsoUsd, forecastAgainstActual, headed, modelCosts, phaseCosts, spentText } from "../show/money.ts";
import { footer, reviewMark } from "../show/status.ts";
import { testFirstLines } from "../tell/test-first.ts";
import { documentPath, endingWords, endOf } from "./progress.ts";
import { receiptLines } from "./receipt-lines.ts";
import { testLines } from "./test-lines.ts";

export function formatReport(view: RunView): string {
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    ["Tasks", [...view.tasks.values()].flatMap((task) => taskLines(view, task))],
    ["Requirements", requirementLines(view)],
    ["Not Checked", uncheckedLines(view)],
    ["Tests", testLines(view)],
    ["Final Review", view.pipeline.isPlanned ? finalReviewLines(view) : []],
    ["After the Tasks", writerLines(view)],
    ["Decisions", choiceLines(view)],
    ["Decided for You", decisionLines(view)],
    ["Waivers", view.waivers.map(({ step, what }) => `- ${step}: ${oneLine(what, 300)}`)],
    ["Deferred Findings", view.deferred.map((deferred) => deferredLine(view, deferred))],
    ["Warnings", view.warnings.map((text) => `- ${oneLine(text, 300)}`)],
    ["Documents", documentLines(view)],
    ["Changed Files", [...fileLines(view), ...howMuch(view)]],
    ["Undo", undoLines(view)],
    ["Receipts", receiptLines(view)],
    ["Test First", testFirstLines(view)],
    ["Stats", statLines(view)],
  ];
  const sections = parts.map(([heading, lines]) => (lines.length === 0 ? [] : [`## ${heading}`, ...lines]));
  const end = endOf(view);
  const full = [
    [`# Workflow ${end ? endingWords[end] : "Not Finished"}`],
    [oneLine(view.goal, 200)],
    endingLines(view),
    ...sections,
  ];
  return `${full.flatMap((lines) => (lines.length === 0 ? [] : lines.join("\n"))).join("\n\n")}\n`;
}

function uncheckedLines(view: RunView): readonly string[] {
  const why = uncheckedBecause(view);
  return why === undefined || view.tasks.size === 0 ? [] : [uncheckedTexts[why]];
}

/** Which task meets a requirement, in which commit, and which of its files are tests. */
function requirementLines(view: RunView): readonly string[] {
  return requirementsOf(view).map(({ id, text, met: done }) => {
    const said = `- ${id} ${oneLine(text, 160)}`;
    if (done.length === 0) return `${said} — not met: no task that covers it is complete`;
    const met = done.map((task) => `task ${task.number}${commitText(view, task)}`);
    const tests = done.flatMap((task) => filesOf(view, task)).filter(isTestFile);
    const shown = tests.length === 0 ? "no test file is part of it" : `shown by ${listed([...new Set(tests)], 3)}`;
    return `${said} — ${met.join(", ")}; ${shown}`;
  });
}

function commitText(view: RunView, { commit }: TaskView): string {
  const gone = isGone(view, commit) ? ", no longer in the history" : "";
  return commit === null ? "" : ` (${shortSha(commit)}${gone})`;
}

function filesOf({ commits }: RunView, { id }: TaskView): readonly string[] {
  return commits.filter(({ task }) => task === id).flatMap(({ files }) => files);
}

/** What the person was asked about the design, and what they said. */
function choiceLines({ brainstorm: { questions, answers, approach } }: RunView): readonly string[] {
  const asked = questions.flatMap((question) => {
    const answer = answers.get(idOf(question));
    return answer === undefined
      ? []
      : [`- ${oneLine(`${fieldsOf(question)["text"] ?? ""}`, 160)} ${oneLine(answer, 200)}`];
  });
  return [...asked, ...(approach === null ? [] : [`- Approach: ${oneLine(approach.title, 200)}`])];
}

/** What somebody else answered for the person: the report must not pass that off as theirs. */
function decisionLines({ decidedBy, startedBy }: RunView): readonly string[] {
  const ids = Map.groupBy(decidedBy.keys(), (id) => decidedBy.get(id));
  return answerers.flatMap((by) => {
    const own = [...(startedBy === by && by !== "person" ? ["the start of this run"] : []), ...(ids.get(by) ?? [])];
    return own.length === 0 ? [] : [`- ${deciders[by]}: ${own.join(", ")}`];
  });
}

/** Whose word let a task pass or skipped it. */
function decidedText({ decidedBy }: RunView, { id: task }: TaskView): string {
  const asked = `execute.task.${task}.`;
  // How large the task is, and whose commits are whose, is no word about its work.
  const isWord = (id: string): boolean => id.startsWith(asked) && !/\.(?:bigger|head)$/.test(id);
  const by = [...decidedBy].findLast(([id]) => isWord(id))?.[1] ?? "person";
  return by === "person" ? "you decided" : `decided ${deciders[by]}`;
}

/** A finding may have been fixed on the way: nobody judged it again, so the report says where to look. */
function deferredLine(view: RunView, { task, what }: RunView["deferred"][number]): string {
  const file = / \(([^()\n]+)\): /.exec(what)?.[1];
  const { commits } = view;
  const later = commits.slice(commits.findLastIndex((commit) => commit.task === task) + 1);
  const changed =
    task === "final" ? undefined : later.findLast(({ files }) => file !== undefined && files.includes(file));
  const since = changed ? ` — ${file} was changed after that, in ${shortSha(changed.sha)}: it may be fixed` : "";
  return `- ${foundAt(view, task)}: ${oneLine(what, 300)}${since}`;
}

/** Findings are deferred by a task, or by the review of the plan or of the whole. */
function foundAt({ tasks }: RunView, task: string): string {
  if (task === "plan") return "Plan";
  return task === "final" ? "Final review" : `Task ${tasks.get(task)?.number ?? task}`;
}

function endingLines(view: RunView): readonly string[] {
  const { ending, report } = view;
  if (ending?.how === "failed") return [`It ended in ${ending.failure.step}: ${ending.failure.detail}`];
  if (ending?.how === "aborted") return [sentence(ending.detail)];
  if (report === null) return ending === null ? [`Where it stands: ${footer(view)}`] : [];
  // A run that was split has no tasks to tell of.
  return view.tasks.size === 0 ? [report] : [];
}

const marks: Readonly<Record<string, string>> = { complete: "✅", skipped: "⏭️", escalated: "⚠️" };

/** A check mark is for work that a check has passed. */
function markOf(view: RunView, task: TaskView): string {
  if (isGone(view, task.commit)) return "⚠️";
  return task.status === "complete" && doubtAbout(view, task) !== "" ? "🔸" : (marks[task.status] ?? "⬜");
}

/** The task, and below it what its implementer said; a long summary may have cut off its concerns. */
function taskLines(view: RunView, task: TaskView): readonly string[] {
  const gone = isGone(view, task.commit) ? [goneText(task.commit)] : [];
  return [taskLine(view, task), ...[...gone, ...saidLines(task)].map((line) => `   ${line}`)];
}

const goneText = (commit: string): string =>
  `Its commit is no longer in the history, because HEAD was moved. To get it back: git cherry-pick ${shortSha(commit)}`;

function saidLines({ said, concerns, disputed }: Pick<TaskView, "said" | "concerns" | "disputed">): readonly string[] {
  const more = claimLines({ concerns: [...concerns], disputed: [...disputed] }).map((line) => inSentences(line));
  return [oneLine(said, 300), ...more.filter((line) => !said.includes(line))].filter((line) => line !== "");
}

/** What the writers of the final fixes and of the documentation said. */
function writerLines({ writers }: RunView): readonly string[] {
  return writers.flatMap((words) => [`- ${words.work}:`, ...saidLines(words).map((line) => `  ${line}`)]);
}

function taskLine(view: RunView, task: TaskView): string {
  const { id, startedAt, settledAt, commit } = task;
  const { costUsd } = taskSpend(view, id);
  const parts = [
    ...[task.status === "complete" ? doubtAbout(view, task) : task.status].filter((word) => word !== ""),
    ...(commit === null ? [] : [shortSha(commit)]),
    ...(costUsd === 0 ? [] : [usd(costUsd)]),
    ...(startedAt === null || settledAt === null || costUsd === 0 ? [] : [duration(settledAt - startedAt)]),
    ...(task.round === 0 ? [] : [count(task.round, "fix round")]),
    ...[...task.reviews.values()].map(reviewMark),
    ...(task.escalated ? [decidedText(view, task)] : []),
  ];
  return `${markOf(view, task)} ${oneLine(task.title, 120)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

function statLines(view: RunView): readonly string[] {
  const { total, roles } = view.spend;
  const { complete, skipped } = countTasks(view);
  const byRole = [...roles].filter(([, spend]) => spend.dispatches > 0);
  const escalated = [...view.tasks.values()].filter((task) => task.escalated);
  const counts = [
    ...(view.tasks.size === 0 ? [] : [`- ${complete.length} completed`]),
    ...(skipped.length === 0 ? [] : [`- ${skipped.length} skipped`]),
    ...(escalated.length === 0 ? [] : [`- ${escalated.length} that needed your decision`]),
  ];
  return [
    ...(view.pipeline.isPlanned ? counts : []),
    ...(view.mode === null ? [] : [`- Mode: ${view.mode}`]),
    `- Total cost: ${spentText(total)}`,
    ...ceremonyLines(view),
    ...headed("- Phases", phaseCosts(view)),
    ...(view.spend.models.size === 0 ? [] : [`- Models: ${modelCosts(view)}`]),
    ...forecastLines(view),
    ...(tokensOf(total) === 0 ? [] : [`- Tokens: ${tokensOf(total) - total.output} in, ${total.output} out`]),
    `- Agent calls: ${total.dispatches}${byRole.length === 0 ? "" : ` (${byRole.map(([role, spend]) => `${role} ${spend.dispatches}${alsoUsd(spend.costUsd)}`).join("; ")})`}`,
    `- Elapsed: ${elapsed(view)}`,
  ];
}

/** A run that got to its end without one says so. */
function finalReviewLines(view: RunView): readonly string[] {
  if (view.finalReview === null) return endOf(view) === "finished" ? ["Not run."] : [];
  const { verdict, round, findings, summary } = view.finalReview;
  const after = round === 0 ? "" : ` after ${count(round, "fix round")}`;
  return [
    `${finalWords[verdict]}${after}.${summary === "" ? "" : ` ${oneLine(summary, 600)}`}`,
    ...findings.map((finding) => `- ${oneLine(finding, 300)}`),
  ];
}

const finalWords = { approved: "Passed", needs_revision: "Not passed", inconclusive: "No clear verdict" } as const;

/** How much of the money went into something else than implementing. */
function ceremonyLines(view: RunView): readonly string[] {
  const ratio = view.pipeline.isPlanned ? ceremonyRatio(view) : null;
  return ratio === null ? [] : [`- Outside implementation: ${Math.round(ratio * 100)} % of the cost`];
}

function forecastLines(view: RunView): readonly string[] {
  const forecast = actualOf(view);
  return forecast === null ? [] : [`- ${forecastAgainstActual(forecast, endOf(view) !== null)}`];
}

function elapsed({ startedAt, lastAt, activeMs, sessions }: RunView): string {
  const whole = duration(lastAt - startedAt);
  return sessions > 1 ? `${whole} (${duration(activeMs)} at work, in ${sessions} sessions)` : whole;
}

function documentLines(view: RunView): readonly string[] {
  const { designPath, plans } = view;
  const progress = documentPath(view, "progress");
  return [
    ...(designPath === null ? [] : [`- Design: ${designPath}`]),
    ...[...plans].map((path) => `- Plan: ${path}`),
    ...(progress === undefined ? [] : [`- Progress: ${progress}`]),
  ];
}

/** Named one by one, as for undo. */
function howMuch(view: RunView): readonly string[] {
  const names = workIn(view).map(({ sha }) => shortSha(sha));
  if (names.length === 0) return [];
  const counted = changedLines(view);
  const sum = counted === undefined ? "" : `${linesText(counted.values())} in all, summed over the commits. `;
  return ["", `${sum}The size of each: \`git show --stat --oneline ${names.join(" ")}\``];
}

const filesShown = 200;

/** With the lines added and removed, as far as git counts any. */
function fileLines(view: RunView): readonly string[] {
  const files = changedFiles(view);
  const counted = changedLines(view);
  const lines = files.slice(0, filesShown).map((file) => {
    const own = counted?.get(file);
    return `- ${nameText(file)}${own ? ` ${linesText([own])}` : ""}`;
  });
  return files.length > filesShown ? [...lines, `- and ${files.length - filesShown} more`] : lines;
}

/** Commits are named one by one: a range could hold the person's own. */
function undoLines(view: RunView): readonly string[] {
  const { commits } = view;
  const work = workIn(view);
  if (work.length === 0) return [];
  // After the tasks there may be a commit for what the final review found, or for the documentation.
  const last = work.at(-1)?.task === null ? "The last commit" : "The last task";
  const revert = (some: readonly CommitLine[]): string => {
    const names = some.map(({ sha }) => shortSha(sha)).toReversed();
    return `\`git revert --no-edit ${names.join(" ")}\``;
  };
  return [
    ...(work.length > 1 ? [`- ${last}: ${revert(work.slice(-1))}`] : []),
    `- All of the work: ${revert(work)}`,
    ...(commits.length > work.length ? [`- With the documents: ${revert(commits)}`] : []),
  ];
}
