// The texts of facts about the tests: their state before any work, and what each piece of work did to them.

import type { FactOf } from "../../../core/flow/fact.ts";
import { count, listed, oneLine } from "../../../core/text/format.ts";
import { isGood } from "../../../core/validation/suite-verdict.ts";
import type { RunView } from "../fold/shape.ts";
import type { FactTable } from "./fact-entry.ts";

export const testFacts = {
  "tests.baseline": {
    keep: (view, { type: _, ...baseline }) => {
      const { tests } = view;
      if (tests.baselines.at(-1)?.command !== baseline.command) tests.baselines.push(baseline);
      tests.isEmpty = isEmpty(baseline);
      for (const task of baseline.untested ?? []) tests.untested.add(task);
      if (baseline.failing.length === 0) areTested(view);
    },
    moment: (fact) => `${fact.replaces === undefined ? "" : `${firstRunText(fact)}, `}${baselineText(fact)}`,
    log: (fact) => `${firstRunText(fact)}, ${baselineText(fact)}`,
    show: (fact) => `🧪 ${capitalized(firstRunText(fact))}: ${baselineText(fact)}`,
    event: (fact) => fact,
  },
  "tests.compared": {
    keep: (view, { type: _, ...run }) => {
      view.tests.runs.push(run);
      view.tests.isEmpty = run.isEmpty === true;
      if (isGood(run)) areTested(view);
    },
    moment: (fact) => (troubleIn(fact).length === 0 ? undefined : `${whose(fact)}: ${troubleIn(fact).join("; ")}`),
    log: (fact) => `${whose(fact)}: ${[`${fact.command}: ${verdictOf(fact)}`, ...troubleIn(fact)].join("; ")}`,
    show: (fact) => (isGood(fact) && goneIn(fact).length === 0 ? `✓ tests: ${verdictOf(fact)}` : undefined),
    // What is done about a flaky test is a setting of its own.
    warn: (fact) =>
      (isGood(fact) ? [`✓ tests: ${verdictOf(fact)}`, ...goneIn(fact)] : ["✗ tests:", ...troubleIn(fact)]).join("\n  "),
    event: (fact) => fact,
  },
  "tests.first": {
    keep: ({ tests }, { type: _, ...first }) => tests.first.set(first.task, first),
    moment: () => undefined,
    log: (fact) => `task ${fact.task}: ${firstText(fact)}`,
    show: (fact) => (fact.red.length === 0 ? undefined : `✓ ${firstText(fact)}`),
    event: (fact) => fact,
  },
  "scripts.changed": {
    keep: ({ tests }, { type: _, ...change }) => tests.scripts.push(change),
    moment: (fact, view) => scriptsText(fact, view),
    log: (fact, view) => scriptsText(fact, view),
    warn: (fact, view) => `${scriptsText(fact, view)}. See whether it still checks as much.`,
    event: (fact) => fact,
  },
} satisfies Partial<FactTable>;

/** `Task 2 changes scripts/check.mjs, which npm test runs` */
export function scriptsText(
  { task, command, changed, unseen }: Omit<FactOf<"scripts.changed">, "type">,
  { tasks }: RunView,
): string {
  const who = task === null ? "The final fixes" : `Task ${tasks.get(task)?.number ?? task}`;
  const verb = task === null ? "change" : "changes";
  const seen = changed.length === 0 ? [] : [`${who} ${verb} ${listed(changed)}, which \`${command}\` runs`];
  const hidden = `${listed(unseen)}, which \`${command}\` runs, changed in the meantime, and no diff shows it`;
  return [...seen, ...(unseen.length === 0 ? [] : [seen.length === 0 ? `${who}: ${hidden}` : hidden])].join("; ");
}

/** Good tests are so for all that is in the tree. */
function areTested({ tasks, tests: { untested } }: RunView): void {
  for (const task of tasks.values()) if (!untested.has(task.id)) task.testsPending = false;
}

/** When a command of the tests first ran: `before any work`, `in place of npm test`. */
export function firstRunText({ replaces }: Pick<FactOf<"tests.baseline">, "replaces">): string {
  if (replaces === undefined) return "before any work";
  return replaces === "" ? "at its first run, after earlier tasks" : `in place of ${replaces}`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `test first: red without the change (a), green with it (a)` */
export function firstText({ red, green, why }: Pick<FactOf<"tests.first">, "red" | "green" | "why">): string {
  if (why !== "") return `test first not proved. ${why}`;
  return `test first: red without the change (${fewOf(red)}), green with it (${fewOf(green)})`;
}

/** A file that cannot even be loaded is a test of its own name. */
function fewOf(names: readonly string[]): string {
  const short = names.map((name) => name.replace(/^(.+) › \1$/, "$1"));
  return oneLine(listed(short, 2), 200);
}

const isEmpty = ({ total, reporter }: Pick<FactOf<"tests.baseline">, "total" | "reporter">): boolean =>
  total === 0 && reporter !== null;

type Compared = FactOf<"tests.compared">;

const whose = ({ task }: Compared): string => (task === null ? "finished work" : `task ${task}`);

/** `npm test: 12 tests, 1 red (test/a.js › adds)` */
function baselineText({ command, total, failing, reporter, why }: FactOf<"tests.baseline">): string {
  if (reporter === null) return `${command} passes; by exit code alone: ${why}`;
  if (total === 0) return `${command}: no tests yet (${reporter})`;
  const red = failing.length === 0 ? "all green" : `${failing.length} red: ${oneLine(failing.join(", "), 300)}`;
  return `${command}: ${count(total, "test")} (${reporter}), ${red}`;
}

function verdictOf(fact: Compared): string {
  const { total, preExisting } = fact;
  if (fact.isEmpty && isGood(fact)) return "no tests yet";
  const size = total === 0 ? "" : `${count(total, "test")}, `;
  if (!isGood(fact)) return `${size}failed`;
  return `${size}passed${preExisting.length === 0 ? "" : `, ${preExisting.length} red as before`}`;
}

function troubleIn(fact: Compared): readonly string[] {
  const { command, red, broken, unfinished, flaky, by = [] } = fact;
  return [
    ...(red
      ? [
          `${oneLine(command, 80)} ${fact.isEmpty ? "no longer runs any tests" : "failed, and no failing test explains it"}`,
        ]
      : []),
    ...said(by.length === 0 ? "broke" : "fail now", broken),
    ...said("new and failing", unfinished),
    ...by.flatMap(({ task, tests }) => said(`broken by task ${task}`, tests)),
    ...said("flaky", flaky),
    ...goneIn(fact),
  ];
}

const goneIn = ({ vanished }: Compared): readonly string[] => said("no longer run", vanished);

const said = (what: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${what}: ${oneLine(names.join(", "), 300)}`];
