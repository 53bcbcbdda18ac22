// Closing a question suspends the run. Here every question of a run is closed, twice, before it is answered: nothing
// else is asked or started meanwhile, and the run ends as one in which each question was answered at once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "../../../src/ports/journal.ts";
import { goOn, makeRepository } from "../../rig/small-run.ts";

interface Asked {
  readonly key: string;
  readonly id: string;
  readonly answer: string;
}

test("a run whose every question is closed twice asks nothing else, starts nothing, and ends the same", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-escape-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const straight = join(folder, "straight");
  makeRepository(straight);
  const reference = await goOn({ root: straight });
  assert.equal(reference.end.how, "finished");
  const asked = askedIn(reference.entries);
  assert.ok(asked.length >= 8, asked.map(({ id }) => id).join());

  const root = join(folder, "closed");
  makeRepository(root);
  let before: readonly Entry[] = [];
  for (const [index, question] of asked.entries()) {
    const given = answersOf(asked.slice(0, index));
    before = await closed(root, given, before, question);
    before = await closedAgain(root, given, before);
  }
  const end = await goOn({ root, answers: answersOf(asked) });
  assert.equal(end.end.how, "finished");
  assert.deepEqual(leftIn(root, end.entries), leftIn(straight, reference.entries));
  assert.deepEqual(
    beginsOf(end.entries).toSorted(),
    beginsOf(reference.entries).toSorted(),
    "nothing was asked, started or paid for twice",
  );
  context.diagnostic(`${asked.length} questions, each closed twice`);
});

/** Goes on to a question that nobody answers. What came before is answered from the journal, and not asked again. */
async function closed(
  root: string,
  answers: Answers,
  before: readonly Entry[],
  question: Asked,
): Promise<readonly Entry[]> {
  const { end, entries } = await goOn({ root, answers });
  assert.deepEqual(end, { how: "suspended", why: "question" }, question.id);
  const last = entries.at(-1);
  assert.deepEqual(
    last?.type === "begin" && [last.key, last.request.do],
    [question.key, "ask"],
    "it stops right there",
  );
  const known = new Set(beginsOf(before));
  // The question that was closed before is answered now: it is settled, and not begun again.
  assert.deepEqual(
    beginsOf(entries.slice(before.length)).filter((key) => known.has(key)),
    [],
  );
  return entries;
}

/** The next start shows that very question again: there is nothing new in the journal but the session. */
async function closedAgain(root: string, answers: Answers, before: readonly Entry[]): Promise<readonly Entry[]> {
  const { end, entries } = await goOn({ root, answers });
  assert.deepEqual(end, { how: "suspended", why: "question" });
  assert.deepEqual(
    entries.slice(before.length).map((entry) => entry.type),
    ["session"],
  );
  return entries;
}

type Answers = Readonly<Record<string, readonly string[]>>;

function answersOf(asked: readonly Asked[]): Answers {
  const answers: Record<string, readonly string[]> = {};
  for (const { id, answer } of asked) answers[id] = [...(answers[id] ?? []), answer];
  return answers;
}

function askedIn(entries: readonly Entry[]): readonly Asked[] {
  const answers = new Map(entries.flatMap((entry) => (entry.type === "settle" ? [[entry.key, entry.outcome]] : [])));
  return entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask"
      ? [{ key: entry.key, id: entry.request.question.id, answer: String(answers.get(entry.key)) }]
      : [],
  );
}

function beginsOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === "begin" ? [entry.key] : []));
}

/** What a run leaves: commits with their trees, the tree's state, and every answer and outcome there is. */
function leftIn(root: string, entries: readonly Entry[]) {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return {
    commits: git("log", "--format=%s %T"),
    status: git("status", "--porcelain"),
    answers: askedIn(entries),
    // Reviewers of the plan work side by side: which of them ends first is chance.
    settled: entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])).toSorted(),
  };
}
