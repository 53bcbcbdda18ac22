// What must hold of every simulated run, whatever went wrong in it (docs/promises.md). These look at the journal, the repository and
// what agents were paid, and use none of the program's own code to judge.

import type { Request } from "../../src/core/flow/flow.ts";
import type { Entry } from "../../src/ports/journal.ts";
import type { Machine } from "./machine.ts";
import type { Commit, Repository } from "./repo/repository.ts";

export function violationsOf(machine: Machine, isOver: boolean): readonly string[] {
  return [
    ...unsoundRecords(machine.entries),
    ...(isOver ? wrongLedger(machine) : []),
    ...lostWords(machine),
    ...strangeCommits(machine),
    ...machine.seen,
    ...unfinishedWork(machine),
    ...ignoredReviews(machine.entries),
  ];
}

/** E3: a run in which only processes died ends as one in which none did: every letter is committed once, with its two lines. */
export function otherEnd({ hands }: Machine, end: string): readonly string[] {
  const commits = hands.log().filter(({ message }) => /^Superteam-Task: /m.test(message));
  const lines = [1, 2, 3].map((task) => hands.show("HEAD", `letters/${task}.txt`)?.split("\n").length ?? 0);
  if (end === "finished" && commits.length === 3 && lines.every((count) => count === 3)) return [];
  return [`it ended ${end}, with ${commits.length} commits and letters of ${lines.join(", ")} lines`];
}

/** E1: records count without gaps; what is settled was begun, and is settled once. */
function unsoundRecords(entries: readonly Entry[]): readonly string[] {
  const found: string[] = [];
  const begun = new Set<string>();
  const settled = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1) found.push(`record ${index + 1} has the number ${entry.seq}`);
    if (entry.type === "begin") {
      begun.add(entry.key);
      if (settled.has(entry.key)) found.push(`${entry.key} was begun again after it was settled`);
    }
    if (entry.type !== "settle") continue;
    if (!begun.has(entry.key)) found.push(`${entry.key} was settled and never begun`);
    if (settled.has(entry.key)) found.push(`${entry.key} was settled twice`);
    settled.add(entry.key);
  }
  return found;
}

/** M1: the ledger is what agents were paid, no more and no less. */
function wrongLedger({ entries, paid }: Machine): readonly string[] {
  const notes = entries.flatMap((entry) => (entry.type === "note" && entry.note.type === "usage" ? [entry.note] : []));
  const noted = notes.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  const spent = paid.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  if (Math.abs(noted - spent) < 1e-6) return [];
  return [`agents were paid $${spent.toFixed(2)} and the journal has $${noted.toFixed(2)}`];
}

/** S1: what the person wrote is in the tree, in the index, in a commit or under a ref. Beside a writer nobody can tell. */
function lostWords({ clone: { repository }, written }: Machine): readonly string[] {
  const commits = reachable(repository);
  return [...written].flatMap(([path, { text, isMixed }]) => {
    if (isMixed) return [];
    if (repository.disk.files.get(path)?.content.text === text) return [];
    if (repository.index.entries.get(path)?.text === text) return [];
    if (commits.some(({ tree }) => tree.entries.get(path)?.text === text)) return [];
    return [`what the person wrote into ${path} is lost`];
  });
}

function reachable({ refs, branches, head, objects }: Repository): readonly Commit[] {
  const open = [...branches.values(), ...("detachedAt" in head ? [head.detachedAt] : [])];
  const named = new Set<string>();
  for (let ref = refs; ref !== undefined; ref = ref.earlier) {
    // What a ref pointed to before is only kept if something else keeps it.
    if (!named.has(ref.name)) open.push(ref.sha);
    named.add(ref.name);
  }
  const found = new Map<string, Commit>();
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const commit = objects.commits.get(sha);
    if (commit === undefined || found.has(sha)) continue;
    found.set(sha, commit);
    open.push(...commit.parents);
  }
  return [...found.values()];
}

/** S1: nothing of the person's is in a task's commit. What they write beside a writer in the same tree cannot be told apart. */
function strangeCommits({ clone: { repository }, written }: Machine): readonly string[] {
  const commits = reachable(repository).filter(({ message }) => /^Superteam-Task: /m.test(message));
  return commits.flatMap(({ tree, parents: [parent = ""], message }) => {
    const before = repository.objects.commits.get(parent)?.tree.entries;
    const [subject = ""] = message.split("\n");
    return [...written].flatMap(([path, { text, isMixed }]) => {
      const isNew = !isMixed && tree.entries.get(path)?.text === text && before?.get(path)?.text !== text;
      return isNew ? [`the commit "${subject}" has what the person wrote into ${path}`] : [];
    });
  });
}

/** E3: what an agent had done that was interrupted is in no task's commit, unless the person wanted to keep it. */
function unfinishedWork({ clone: { repository }, entries }: Machine): readonly string[] {
  const begun = new Map<string, number>();
  const done = new Set<number>();
  for (const entry of entries) {
    if (entry.type === "begin") begun.set(entry.key, entry.seq);
    if (entry.type !== "settle") continue;
    done.add(begun.get(entry.key) ?? 0);
    const [, kept] = /^(.*)~ask:run\.restore/.exec(entry.key) ?? [];
    if (kept !== undefined && entry.outcome === "keep") done.add(begun.get(kept) ?? 0);
  }
  const commits = reachable(repository).filter(({ message }) => /^Superteam-Task: /m.test(message));
  const texts = commits.flatMap(({ tree }) => [...tree.entries].filter(([path]) => path.startsWith("letters/")));
  const found = texts.flatMap(([path, { text }]) => {
    const lines = text.split("\n").filter((line) => line.includes(" line of "));
    const strange = lines.filter((line) => !done.has(Number(/ of 0*(\d+)-/.exec(line)?.[1])));
    const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
    return [...strange, ...twice].map((line) => `a commit has "${line}" in ${path}, of a try that was interrupted`);
  });
  return [...new Set(found)];
}

/** T1: a task is committed when its last spec and quality reviews passed, or the person said otherwise. Other reviewers advise. */
function ignoredReviews(entries: readonly Entry[]): readonly string[] {
  const asked = new Map<string, Request>();
  const failed = new Map<string, ReadonlySet<string>>();
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.type !== "begin" && entry.type !== "settle") continue;
    const [, task] = /execute(?:@\d+)?\/task-(\d+)/.exec(entry.key) ?? [];
    if (task === undefined) continue;
    const open = failed.get(task) ?? new Set();
    if (entry.type === "begin") {
      asked.set(entry.key, entry.request);
      const isCommit = entry.request.do === "commit" && entry.request.task !== undefined;
      if (isCommit && open.size > 0) found.push(`task ${task} is committed though ${[...open].join(", ")} failed it`);
    } else {
      failed.set(task, afterOutcome(open, asked.get(entry.key), entry.outcome));
    }
  }
  return found;
}

/** The reviewers that have failed the task by then. */
function afterOutcome(open: ReadonlySet<string>, request: Request | undefined, outcome: unknown): ReadonlySet<string> {
  if (request?.do === "ask") return new Set();
  if (request?.do !== "dispatch" || !/^(?:spec|quality)-reviewer$/.test(request.role)) return open;
  const isFailed = JSON.stringify(outcome).replaceAll("\\", "").includes('"passed":false');
  return isFailed ? new Set([...open, request.role]) : open.difference(new Set([request.role]));
}
