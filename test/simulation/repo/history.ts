// Commits in the order in which git tells them, and what their messages say.

import { type Commit, findNamed, type Repository } from "./repository.ts";

/** Every commit that can be reached from this one, a child before its parents; of several parents the last one first, as git does. */
export function historyOf(repository: Repository, from: string): readonly Commit[] {
  const start = findNamed(repository, from);
  if (start === undefined) return [];
  const reached = reachableFrom(repository, start);
  const children = new Map<string, number>();
  for (const { parents } of reached.values()) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const told: Commit[] = [];
  const open = [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    told.push(next);
    for (const parent of next.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const commit = reached.get(parent);
      if (left === 0 && commit !== undefined) open.push(commit);
    }
  }
  return told;
}

/** Newest first. */
export function commitsBetween(repository: Repository, from: string, to: string): readonly Commit[] {
  if (from === to) return [];
  const start = findNamed(repository, from);
  const known = start === undefined ? new Map() : reachableFrom(repository, start);
  return historyOf(repository, to).filter(({ sha }) => !known.has(sha));
}

/** The last of the commits before this one, each the first parent of the next, or this one itself, that can be reached from these. */
export function forkOf(repository: Repository, tip: string, known: readonly string[]): string | undefined {
  const reached = known.flatMap((sha) => historyOf(repository, sha).map((each) => each.sha));
  const before = new Set(reached);
  let at = findNamed(repository, tip);
  while (at !== undefined && !before.has(at.sha)) at = findNamed(repository, at.parents[0] ?? "");
  return at?.sha;
}

export function isAncestor(repository: Repository, older: string, newer: string): boolean {
  if (older === newer) return true;
  const start = findNamed(repository, newer);
  return start !== undefined && reachableFrom(repository, start).has(older);
}

/** As `git commit` cleans a message up when no editor was open. */
export function cleanMessage(message: string): string {
  const lines = message.split("\n").map((line) => line.trimEnd());
  const kept = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  return `${kept.join("\n").trim()}\n`;
}

export const subjectOf = ({ message }: Commit): string => (message.split("\n\n")[0] ?? "").trim().replaceAll("\n", " ");

/** The values of a trailer. Trailers are the last paragraph, unless it is the first, and nothing else is in it. */
export function trailersOf({ message }: Pick<Commit, "message">, key: string): readonly string[] {
  const last = message.trimEnd().split("\n\n").slice(1).at(-1);
  const lines = last?.split("\n") ?? [];
  if (!lines.every((line) => trailer.test(line))) return [];
  return lines.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2).trim());
}

const trailer = /^[A-Za-z0-9-]+: /;

/** Whether a message ends with trailers, so that others can join them. */
export function hasTrailers(message: string): boolean {
  const last = message
    .split(/\n\s*\n/)
    .slice(1)
    .at(-1);
  return last?.split("\n").every((line) => trailer.test(line)) ?? false;
}

function reachableFrom(repository: Repository, start: Commit): ReadonlyMap<string, Commit> {
  const reached = new Map<string, Commit>();
  const open = [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next.sha)) continue;
    reached.set(next.sha, next);
    for (const parent of next.parents) {
      const commit = repository.objects.commits.get(parent);
      if (commit !== undefined) open.push(commit);
    }
  }
  return reached;
}
