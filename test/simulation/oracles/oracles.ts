// What must hold of every simulated run, whatever went wrong in it (docs/promises.md). These look at the journal, the repository and
// what agents were paid, and use none of the program's own code to judge.

import type { Entry } from "../../../src/ports/journal.ts";
import { type Machine, partTitles } from "../machine/machine.ts";
import { undoneCommits } from "./earlier.ts";
import { brokenCommits, ignoredReviews, uncheckedHooks, unfinishedWork, workOfChecks } from "./gates.ts";
import { lostStaging, lostWords, strangeCommits, unnamedHarm } from "./person.ts";
import { foreignCommits, strangeBranch, strangeBranches, wrongReport } from "./place.ts";
import { commitsMadeTwice, mixedVersions } from "./replay.ts";
import { untestedTasks, wrongBlame } from "./tests.ts";

export function violationsOf(machine: Machine, end: string): readonly string[] {
  const isOver = ["finished", "failed", "aborted"].includes(end);
  return [
    ...unsoundRecords(machine.entries),
    ...unhandledOutcomes(machine.entries),
    ...(isOver ? wrongLedger(machine) : []),
    ...lostWords(machine),
    ...lostStaging(machine),
    ...strangeCommits(machine),
    ...machine.seen,
    ...unfinishedWork(machine),
    ...undoneCommits(machine),
    ...workOfChecks(machine),
    ...ignoredReviews(machine),
    ...uncheckedHooks(machine.entries),
    ...mixedVersions(machine.entries),
    ...untestedTasks(machine),
    ...wrongBlame(machine),
    ...wrongLine(machine, end),
    ...(end === "finished" ? wrongEnd(machine) : []),
  ];
}

/** E11: the question that keeps a run alive is a bug all the same. */
function unhandledOutcomes(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => {
    const question = entry.type === "begin" && entry.request.do === "ask" ? entry.request.question : undefined;
    return question?.id === "run.unhandled" ? [`an outcome cannot be handled: ${question.message}`] : [];
  });
}

function wrongEnd(machine: Machine): readonly string[] {
  return [
    ...strangeBranch(machine),
    ...strangeBranches(machine),
    ...foreignCommits(machine),
    ...wrongReport(machine),
    ...brokenCommits(machine),
    ...unnamedHarm(machine),
  ];
}

/** Each part waits in line once, and none is lost with its run. An odd answer may call one of them anything. */
function wrongLine({ line, entries }: Machine, end: string): readonly string[] {
  const isPutThere = entries.some((entry) => entry.type === "begin" && entry.request.do === "queue");
  const titles = line.map((goal) => goal.split(":")[0]);
  const isWhole = new Set(titles).size === partTitles.length && titles.length === partTitles.length;
  const isRight = !isPutThere || (line.length === 0 && end !== "finished") || isWhole;
  return isRight ? [] : [`these wait in line: ${titles.join(", ")}`];
}

/** E3: a run in which only processes died ends as one in which none did: every letter is committed once, with its two lines. */
export function otherEnd(machine: Machine, end: string): readonly string[] {
  const { hands } = machine;
  const commits = hands.log().filter(({ message }) => /^Superteam-Task: /m.test(message));
  const lines = [1, 2, 3].map((task) => hands.show("HEAD", `letters/${task}.txt`)?.split("\n").length ?? 0);
  if (end === "finished" && commits.length === 3 && lines.every((count) => count === 3))
    return commitsMadeTwice(machine);
  return [`it ended ${end}, with ${commits.length} commits and letters of ${lines.join(", ")} lines`];
}

/** E7: every message of another process has its receipt when the life is over. */
export function unanswered({ said, receipts }: Machine): readonly string[] {
  const open = said.filter((id) => !receipts.has(id));
  return open.length === 0 ? [] : [`${open.length} messages of another process have no receipt`];
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

/** M1: the ledger is what agents were paid, no more and no less; more where an agent told nothing, so that it is estimated. */
function wrongLedger({ entries, paid }: Machine): readonly string[] {
  const notes = entries.flatMap((entry) => (entry.type === "note" && entry.note.type === "usage" ? [entry.note] : []));
  const noted = notes.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  const spent = paid.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  const isEstimated = paid.some(({ usage }) => usage.costUsd === 0 && usage.input + usage.output === 0);
  if (Math.abs(noted - spent) < 1e-6 || (isEstimated && noted > spent)) return [];
  return [`agents were paid $${spent.toFixed(2)} and the journal has $${noted.toFixed(2)}`];
}
