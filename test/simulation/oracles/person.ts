// What is the person's stays theirs (S1, E3b). What they write beside a writer in the same tree nobody can tell apart.

import type { Entry } from "../../../src/ports/journal.ts";
import type { Machine } from "../machine/machine.ts";
import { brought, isOfRun, reachable, reachableTrees, subjectOf } from "./reach.ts";

/** What the person wrote is in the tree, in the index, in a commit or under a ref. */
export function lostWords({ clone: { repository }, written }: Machine): readonly string[] {
  const trees = reachableTrees(repository);
  return [...written].flatMap(([path, { text, isMixed }]) => {
    if (isMixed) return [];
    if (repository.disk.files.get(path)?.content.text === text) return [];
    if (repository.index.entries.get(path)?.text === text) return [];
    if (trees.some(({ entries }) => entries.get(path)?.text === text)) return [];
    return [`what the person wrote into ${path} is lost`];
  });
}

/** So is what they staged, also when they went on writing in that file. */
export function lostStaging({ clone: { repository }, staged }: Machine): readonly string[] {
  if (staged.size === 0) return [];
  const trees = reachableTrees(repository);
  return [...staged].flatMap(([path, text]) => {
    if (repository.index.entries.get(path)?.text === text) return [];
    if (repository.disk.files.get(path)?.content.text === text) return [];
    if (trees.some(({ entries }) => entries.get(path)?.text === text)) return [];
    return [`what the person staged of ${path} is lost`];
  });
}

/** Nothing of the person's is in a commit of the run. */
export function strangeCommits({ clone: { repository }, written }: Machine): readonly string[] {
  const commits = reachable(repository).filter(isOfRun);
  return commits.flatMap((commit) =>
    [...written].flatMap(([path, { text, isMixed }]) => {
      if (isMixed || !brought(repository, commit, path, text)) return [];
      return [`the commit "${subjectOf(commit)}" has what the person wrote into ${path}`];
    }),
  );
}

/** What an agent, or the run, did to a file of the person's that git does not track is put right or named. */
export function unnamedHarm({ harmed, hands, entries, clone: { repository } }: Machine): readonly string[] {
  return [...harmed].flatMap(([path, { text, by, records }]) => {
    if (hands.read(path) === text || repository.index.entries.get(path)?.text === text) return [];
    if (entries.slice(records).some((entry) => names(entry, path))) return [];
    const who = by === "the run" ? "the run itself" : `an agent (${by.replace(/^\d+-/, "")})`;
    return [`${who} changed ${path} of the person's, and nobody says so`];
  });
}

/** Whether the person is told of this path: in a warning, in a question, or in a list of what was taken back. */
function names(entry: Entry, path: string): boolean {
  if (entry.type === "note") return entry.note.type === "undone" && entry.note.files.includes(path);
  if (entry.type !== "begin") return false;
  const { request } = entry;
  if (request.do === "ask") return "message" in request.question && String(request.question.message).includes(path);
  return request.do === "record" && request.fact.type === "warning" && request.fact.text.includes(path);
}
