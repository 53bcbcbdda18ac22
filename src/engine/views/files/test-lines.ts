// The tests in the report: what was red when they first ran, and what each task did to them.

import { count, listed, oneLine } from "../../../core/text/format.ts";
import { firstText, scriptsText } from "../facts/tests.ts";
import type { ComparedTests, RunView } from "../fold/shape.ts";

export function testLines(view: RunView): readonly string[] {
  const { baselines, runs, first } = view.tests;
  return [
    ...baselines.flatMap((baseline) => baselineLines(view, baseline)),
    ...[...first.values()].map((one) => `- ${nameOf(view, one.task)}, ${firstText(one)}`),
    ...[...Map.groupBy(runs, ({ task }) => task)].flatMap(([task, own]) => taskLines(view, task, own)),
    ...blameLines(view),
    ...pendingLines(view),
    ...scriptLines(view),
  ];
}

type Known = RunView["tests"]["baselines"][number];

/** A command of the tests, and what was red when it first ran. */
function baselineLines({ tests: { baselines, runs } }: RunView, baseline: Known): readonly string[] {
  const { command, total, failing, reporter, why, replaces } = baseline;
  const own = runs.filter((run) => run.command === command);
  const isLast = baseline === baselines.at(-1);
  const last = own.at(-1);
  const size = reporter === null ? `by exit code alone: ${why}` : `by name (${reporter})`;
  const now = last === undefined || !isLast || reporter === null ? "" : `, ${last.total} at the end`;
  const when = replaces === undefined ? "before any work" : "at its first run";
  const tests = reporter === null ? "" : `: ${total === 0 ? "no tests" : count(total, "test")} ${when}${now}`;
  const since = replaces === undefined || replaces === "" ? "" : ` in place of \`${replaces}\`,`;
  const red = replaces === undefined ? "Red before any work" : "Red at the first run, after earlier tasks";
  return [
    `- \`${command}\`,${since} ${size}${tests}`,
    ...failing.map((name) => `- ${red}: ${oneLine(name, 200)}${sinceWhen(own, name)}`),
  ];
}

/** Whether a test that was red is still red, and since when not. */
function sinceWhen(runs: readonly ComparedTests[], name: string): string {
  const repaired = runs.find(({ repaired }) => repaired.includes(name));
  if (repaired) return ` (passes since ${whose(repaired.task)})`;
  return runs.at(-1)?.preExisting.includes(name) ? " (still red)" : "";
}

const whose = (task: string | null): string => (task === null ? "the final fixes" : `task ${task}`);

const nameOf = (view: RunView, task: string): string => `Task ${view.tasks.get(task)?.number ?? task}`;

/** Files that the checks run from, as far as a task's changes of them are in its commit. What git ignores is not rolled back. */
function scriptLines(view: RunView): readonly string[] {
  return view.tests.scripts.flatMap((change) => {
    const { task, changed, unseen } = change;
    const own = view.commits.filter((commit) => task !== null && commit.task === task).flatMap(({ files }) => files);
    const isGone = (path: string): boolean =>
      (task !== null && view.tasks.get(task)?.status === "skipped") || (own.length > 0 && !own.includes(path));
    const left = changed.filter((path) => !isGone(path));
    if (left.length + unseen.length === 0) return [];
    return [`- ${oneLine(scriptsText({ ...change, changed: left }, view), 300)}`];
  });
}

/** What a task broke that came to light when the tests ran for several. */
function blameLines(view: RunView): readonly string[] {
  const blamed = view.tests.runs
    .flatMap(({ by = [] }) => by)
    .flatMap(({ task, tests }) => tests.map((name) => ({ task, name })));
  const failing = new Set(view.tests.runs.at(-1)?.by?.flatMap(({ tests }) => tests) ?? []);
  return [...Map.groupBy(blamed, ({ task }) => task)].map(([task, own]) => {
    const names = [...new Set(own.map(({ name }) => name))];
    const then = names.some((name) => failing.has(name)) ? "" : " (repaired since)";
    return `- ${nameOf(view, task)} broke: ${oneLine(listed(names), 300)}${then}`;
  });
}

function pendingLines({ tasks, tests: { untested } }: RunView): readonly string[] {
  const pending = [...tasks.values()].filter(({ testsPending }) => testsPending);
  const why = (id: string): string =>
    untested.has(id) ? "; the test command changed before they ran, so the new command may be why tests are red" : "";
  return pending.map(({ id, number }) => `- Task ${number}: complete, tests pending${why(id)}`);
}

function taskLines(view: RunView, task: string | null, runs: readonly ComparedTests[]): readonly string[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const who = task === null ? "The final fixes" : nameOf(view, task);
  const isOwn = (name: string): boolean => !runs.some(({ by = [] }) => by.some(({ tests }) => tests.includes(name)));
  const broken = [...new Set(runs.flatMap((run) => run.broken))].filter(isOwn);
  const flaky = [...new Set(runs.flatMap((run) => run.flaky))];
  const line = (what: string, names: readonly string[], then = ""): readonly string[] =>
    names.length === 0 ? [] : [`- ${who} ${what}: ${oneLine(listed(names), 300)}${then}`];
  const isSkipped = task !== null && view.tasks.get(task)?.status === "skipped";
  const repaired = broken.filter((name) => !last.broken.includes(name));
  return [
    ...(isSkipped ? line("broke", broken, " (skipped and rolled back)") : []),
    ...(isSkipped ? [] : line("broke", repaired, " (repaired before its commit)")),
    ...(isSkipped ? [] : line(task === null ? "break" : "breaks", last.broken.filter(isOwn))),
    ...line("met a flaky test", flaky),
    ...(isSkipped ? [] : line(task === null ? "no longer run" : "no longer runs", last.vanished)),
  ];
}
