// Where a finished run leaves HEAD: on the branch it began on, with commits that the run or the person made, as its report says.

import type { Entry } from "../../../src/ports/journal.ts";
import { type Machine, personBranch } from "../machine/machine.ts";
import { headOf } from "../repo/repository.ts";
import { isOfRun, reachableFrom, subjectOf } from "./reach.ts";

/** Unless the person was told that HEAD is elsewhere, and kept it there, or has put it there. */
export function strangeBranch({ clone: { repository }, start, entries, hasSwitched }: Machine): readonly string[] {
  const { branch } = headOf(repository);
  if (hasSwitched && branch === personBranch) return [];
  const isKept = entries.some((entry) => keeps(entry, entries, `HEAD is on ${branch ?? "no branch"} now`));
  return branch === start.branch || isKept ? [] : [`the run began on ${start.branch} and ends on ${branch}`];
}

/**
 * Branches that agents made are gone, or it was said that nobody knows whose they are. The person makes one, may keep the one that
 * HEAD is or was on, and one that they have committed to since is theirs.
 */
export function strangeBranches({ clone: { repository }, start, entries, personCommits }: Machine): readonly string[] {
  const { branch } = headOf(repository);
  const others = [...repository.branches].filter(
    ([name, tip]) =>
      name !== start.branch &&
      name !== branch &&
      name !== personBranch &&
      !personCommits.has(tip) &&
      !entries.some((entry) => isDoubted(entry, name) || keeps(entry, entries, `HEAD is on ${name} now`)),
  );
  return others.map(([name]) => `the run leaves the branch ${name}, which an agent made`);
}

function isDoubted(entry: Entry, name: string): boolean {
  if (entry.type !== "begin" || entry.request.do !== "record" || entry.request.fact.type !== "warning") return false;
  const said = /^It is unknown when the \S+ ended\..*they may be yours: (.*)\. Check them\.$/.exec(
    entry.request.fact.text,
  );
  return said?.[1]?.split(", ").includes(name) ?? false;
}

/** Commits of agents become the run's or leave the branch, unless the person was told of them and kept them. */
export function foreignCommits({ clone: { repository }, start, personCommits, entries }: Machine): readonly string[] {
  if (entries.some((entry) => keeps(entry, entries, "git log"))) return [];
  const commits = reachableFrom(repository, [headOf(repository).sha]);
  const foreign = commits.filter((commit) => !isOfRun(commit) && !personCommits.has(commit.sha));
  const others = foreign.filter((commit) => commit.sha !== start.sha);
  const lost = commits.some(({ sha }) => sha === start.sha) ? [] : ["the commit that the run began with is gone"];
  return [...others.map((commit) => `the run ends with "${subjectOf(commit)}", a commit of an agent's`), ...lost];
}

export const ofCheck = "by a check";

/** Whether the person keeps the tree as it is, knowing this. */
function keeps(entry: Entry, entries: readonly Entry[], told: string): boolean {
  if (entry.type !== "begin" || entry.request.do !== "ask" || !entry.key.includes("~ask:run.restore")) return false;
  if (!entry.request.question.message.includes(told)) return false;
  return entries.some((one) => one.type === "settle" && one.key === entry.key && one.outcome === "keep");
}

/**
 * Each commit that the report names is in HEAD's history, or on a branch where the person has put HEAD elsewhere, unless the person was
 * told that it is not and kept the tree.
 */
export function wrongReport({ clone: { repository }, entries, hasSwitched }: Machine): readonly string[] {
  const last = entries.at(-1);
  if (last?.type !== "end" || last.ending.how !== "finished") return ["a finished run has no record of its end"];
  if (entries.some((entry) => keeps(entry, entries, "no longer contains"))) return [];
  const { tasks = [] } = last.ending.value as { readonly tasks?: readonly { readonly commit: string | null }[] };
  const tips = [headOf(repository).sha, ...(hasSwitched ? repository.branches.values() : [])];
  const known = new Set(reachableFrom(repository, tips).map(({ sha }) => sha));
  const missing = tasks.filter(({ commit }) => commit !== null && !known.has(commit));
  return missing.length === 0 ? [] : [`${missing.length} commits of the report are not in the branch`];
}
