// What was committed before a task stays as it is, but for what somebody did to it while the task was worked on (E3b).

import { type Machine, meaning } from "../machine/machine.ts";
import type { Commit, Repository } from "../repo/repository.ts";
import { differencesOf } from "../repo/trees.ts";
import { isOfTask, reachable, subjectOf } from "./reach.ts";

/** A task's commit has no change that nobody made by hand since the task before: such as what a switch of branches did. */
export function undoneCommits({ clone: { repository }, meant }: Machine): readonly string[] {
  return reachable(repository)
    .filter(isOfTask)
    .flatMap((commit) => {
      const parent = parentOf(repository, commit);
      const since = lastTaskBefore(repository, commit)?.at ?? 0;
      const changes = parent === undefined ? [] : differencesOf(parent.tree, commit.tree);
      const strange = changes.filter(({ path, content }) => (meant.get(meaning(path, content?.text)) ?? -1) < since);
      return strange.map(({ path, change }) => `nobody ${change} ${path} for the commit "${subjectOf(commit)}"`);
    });
}

const parentOf = ({ objects }: Repository, { parents: [parent = ""] }: Commit): Commit | undefined =>
  objects.commits.get(parent);

function lastTaskBefore(repository: Repository, commit: Commit): Commit | undefined {
  let at = parentOf(repository, commit);
  while (at !== undefined && !isOfTask(at)) at = parentOf(repository, at);
  return at;
}
