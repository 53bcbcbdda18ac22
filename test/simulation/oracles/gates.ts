// Nothing is committed without the evidence for it (T1, T6, E3): no work of an interrupted try, no failed review, no unchecked hook.

import type { Request } from "../../../src/core/flow/flow.ts";
import type { Entry } from "../../../src/ports/journal.ts";
import type { Machine } from "../machine/machine.ts";
import { headOf } from "../repo/repository.ts";
import { isOfRun, isOfTask, reachable, reachableFrom, subjectOf } from "./reach.ts";

/** E3: what an agent had done that was interrupted is in no task's commit, unless the person wanted to keep it. */
export function unfinishedWork({ clone: { repository }, entries }: Machine): readonly string[] {
  const done = finishedTries(entries);
  const commits = reachable(repository).filter(isOfTask);
  const texts = commits.flatMap(({ tree }) => [...tree.entries].filter(([path]) => path.startsWith("letters/")));
  const found = texts.flatMap(([path, { text }]) => {
    const lines = text.split("\n").filter((line) => line.includes(" line of "));
    const strange = lines.filter((line) => !done.has(Number(/ of 0*(\d+)-/.exec(line)?.[1])));
    const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
    return [...strange, ...twice].map((line) => `a commit has "${line}" in ${path}, of a try that was interrupted`);
  });
  return [...new Set(found)];
}

/** The begin records of requests that came to an end, or whose leftovers the person kept. */
function finishedTries(entries: readonly Entry[]): ReadonlySet<number> {
  const begun = new Map<string, number>();
  const done = new Set<number>();
  for (const entry of entries) {
    if (entry.type === "begin") begun.set(entry.key, entry.seq);
    if (entry.type !== "settle") continue;
    done.add(begun.get(entry.key) ?? 0);
    const [, kept] = /^(.*)~ask:run\.restore/.exec(entry.key) ?? [];
    if (kept !== undefined && entry.outcome === "keep") done.add(begun.get(kept) ?? 0);
  }
  return done;
}

/** T1: a task is committed when its last spec and quality reviews passed, or the person said otherwise. Other reviewers advise. */
export function ignoredReviews({ entries, isSteered }: Machine): readonly string[] {
  const asked = new Map<string, Request>();
  const failed = new Map<string, ReadonlySet<string>>();
  const notItsOwn = new Set<string>();
  const found: string[] = [];
  const why = isSteered ? ", with a configuration that an agent wrote" : "";
  for (const entry of entries) {
    if (entry.type !== "begin" && entry.type !== "settle") continue;
    const [, task] = /execute(?:@\d+)?\/task-(\d+)/.exec(entry.key) ?? [];
    if (task === undefined) continue;
    const open = failed.get(task) ?? new Set();
    if (entry.type === "settle") {
      if (/\.mixed#\d+$/.test(entry.key) && entry.outcome === "mine") notItsOwn.add(task);
      failed.set(task, afterOutcome(open, asked.get(entry.key), entry.outcome, notItsOwn.has(task)));
      continue;
    }
    asked.set(entry.key, entry.request);
    const isCommit = entry.request.do === "commit" && entry.request.task !== undefined;
    if (isCommit && open.size > 0)
      found.push(`task ${task} is committed though ${[...open].join(", ")} failed it${why}`);
  }
  return found;
}

/** The reviewers that have failed the task by then. What is found in a letter that the person has made their own is put off. */
function afterOutcome(
  open: ReadonlySet<string>,
  request: Request | undefined,
  outcome: unknown,
  isTheirs: boolean,
): ReadonlySet<string> {
  if (request?.do === "ask") return new Set();
  if (request?.do !== "dispatch" || !/^(?:spec|quality)-reviewer$/.test(request.role)) return open;
  const said = JSON.stringify(outcome).replaceAll("\\", "");
  const isFailed =
    said.includes('"passed":false') ||
    (!isTheirs && /"severity":"high","anchor":\{"file":"letters\/\d\.txt"/.test(said));
  return isFailed ? new Set([...open, request.role]) : open.difference(new Set([request.role]));
}

/** T6: what a hook made of a task's commit is checked again before the task is left. */
export function uncheckedHooks(entries: readonly Entry[]): readonly string[] {
  const unchecked = new Set<string>();
  const found: string[] = [];
  for (const entry of entries) {
    const at = entry.type === "leave" || entry.type === "restart" ? entry.scope : "key" in entry ? entry.key : "";
    const [scope] = /^.*\/task-\d+(?:@\d+)?/.exec(at) ?? [];
    if (scope === undefined) continue;
    const isHooked = entry.type === "settle" && isChangedByHook(entry.outcome);
    if (isHooked) unchecked.add(scope);
    else if (entry.type === "restart" || (entry.type === "begin" && entry.request.do === "check"))
      unchecked.delete(scope);
    if (entry.type === "leave" && unchecked.has(scope)) found.push(`what a hook made of ${scope} was not checked`);
  }
  return found;
}

const isChangedByHook = (outcome: unknown): boolean =>
  typeof outcome === "object" && outcome !== null && "changedByHook" in outcome && outcome.changedByHook === true;

/** T1: what does not pass the check is in no task's commit at the end. */
export function brokenCommits({ clone: { repository }, isSteered }: Machine): readonly string[] {
  const commits = reachableFrom(repository, [headOf(repository).sha]).filter(isOfTask);
  const why = isSteered ? ", with a configuration that an agent wrote" : "";
  return commits
    .filter(({ tree }) => tree.entries.has("broken.txt"))
    .map((commit) => `the commit "${subjectOf(commit)}" does not pass the check${why}`);
}

/** E3b: what a check itself writes is in no commit. */
export function workOfChecks({ clone: { repository }, ofChecks }: Machine): readonly string[] {
  if (ofChecks.size === 0) return [];
  const commits = reachable(repository).filter(isOfRun);
  const has = commits.filter(({ tree }) => ofChecks.has(tree.entries.get("snapshot.txt")?.text ?? ""));
  return has.slice(0, 1).map((commit) => `the commit "${subjectOf(commit)}" has what a check wrote`);
}
