// What is said of tests that do not run after each task: nothing is called tested that was not, and nobody is blamed for another's work.

import type { Fact } from "../../../src/core/flow/fact.ts";
import type { Machine } from "../machine/machine.ts";
import { isSpoilt } from "../ports/suite.ts";
import type { Commit } from "../repo/repository.ts";

const factsOf = ({ entries }: Machine): readonly Fact[] =>
  entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "record" ? [entry.request.fact] : []));

/** T1: a task without a run of its tests is never complete without saying so. */
export function untestedTasks(machine: Machine): readonly string[] {
  return factsOf(machine).flatMap((fact) =>
    fact.type === "task.settled" && !fact.testsPending && machine.untested.has(fact.commit ?? "")
      ? [`task ${fact.task} is complete, and its tests did not run`]
      : [],
  );
}

/** Whoever is blamed has made the commit that spoilt the letter. */
export function wrongBlame(machine: Machine): readonly string[] {
  return factsOf(machine).flatMap((fact) => {
    const by = fact.type === "tests.compared" ? (fact.by ?? []) : [];
    return by.flatMap(({ task, tests }) =>
      tests.flatMap((test) => {
        const [, path] = /^(letters\/\d\.txt) › /.exec(test) ?? [];
        return path === undefined || hasSpoilt(machine, task, path)
          ? []
          : [`task ${task} is blamed for ${test}, which it did not break`];
      }),
    );
  });
}

function hasSpoilt({ clone: { repository } }: Machine, task: string, path: string): boolean {
  const { commits } = repository.objects;
  const isBad = (commit: Commit | undefined): boolean => isSpoilt(commit?.tree.entries.get(path)?.text ?? "");
  return [...commits.values()].some(
    (commit) =>
      new RegExp(`^Superteam-Task: ${task}$`, "m").test(commit.message) &&
      isBad(commit) &&
      !isBad(commits.get(commit.parents[0] ?? "")),
  );
}
