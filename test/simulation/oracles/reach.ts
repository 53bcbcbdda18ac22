// Which commits there still are, and who made them.

import type { Tree } from "../repo/content.ts";
import type { Commit, Repository } from "../repo/repository.ts";

/** From branches, HEAD and refs. What a ref pointed to before is only kept if something else keeps it. */
export function reachable(repository: Repository): readonly Commit[] {
  const { branches, head } = repository;
  const open = [...branches.values(), ...("detachedAt" in head ? [head.detachedAt] : [])];
  return reachableFrom(repository, [...open, ...hashesOfRefs(repository)]);
}

/** Every tree that can be reached: of commits, and under refs of its own. */
export function reachableTrees(repository: Repository): readonly Tree[] {
  const trees = hashesOfRefs(repository).flatMap((hash) => repository.objects.trees.get(hash) ?? []);
  return [...reachable(repository).map(({ tree }) => tree), ...trees];
}

function hashesOfRefs({ refs }: Repository): readonly string[] {
  const named = new Map<string, string | undefined>();
  for (let ref = refs; ref !== undefined; ref = ref.earlier) if (!named.has(ref.name)) named.set(ref.name, ref.sha);
  return [...named.values()].filter((hash) => hash !== undefined);
}

export function reachableFrom({ objects }: Repository, tips: readonly string[]): readonly Commit[] {
  const open = [...tips];
  const found = new Map<string, Commit>();
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = objects.commits.get(sha);
    if (commit === undefined || found.has(sha)) continue;
    found.set(sha, commit);
    open.push(...commit.parents);
  }
  return [...found.values()];
}

/** Commits of the run have its trailer; those that keep a tree under a ref have not. */
export const isOfRun = ({ message }: Commit): boolean => /^Superteam-Run: /m.test(message);
export const isOfTask = ({ message }: Commit): boolean => /^Superteam-Task: /m.test(message);
export const subjectOf = ({ message }: Commit): string => message.split("\n")[0] ?? "";

/** Whether a commit brought this text to this path. */
export function brought({ objects }: Repository, { tree, parents: [parent = ""] }: Commit, path: string, text: string) {
  if (tree.entries.get(path)?.text !== text) return false;
  return objects.commits.get(parent)?.tree.entries.get(path)?.text !== text;
}
