// A goal in three parts: each is scouted, planned and built on what the one before it left, and the whole is one run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readPlan } from "../../src/core/plan/document.ts";
import { planPath } from "../../src/core/plan/path.ts";
import { Report } from "../../src/core/run/report.ts";
import { formatReport } from "../../src/engine/views/files/report.ts";
import { viewOf } from "../../src/engine/views/fold/run-view.ts";
import type { Entry } from "../../src/ports/journal.ts";
import { answers, batchPlay, goal, paths, reassessed } from "../rig/pipeline/batches.ts";
import { checkAll, type Drop, describeDrop, dropper, repeatedAfter } from "../rig/pipeline/drop.ts";
import { goOn, makeRepository } from "../rig/pipeline/run.ts";
import { whereIs } from "../rig/pipeline/scripts.ts";

function folderFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "superteam-batches-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

test("a run in three parts ends with the tasks of all three, each planned for its own requirements alone", async (context) => {
  const root = join(folderFor(context), "repository");
  makeRepository(root);
  const { play, orders } = batchPlay();
  const { end, entries } = await goOn({ root, goal, play, answers });
  assert.equal(end.how, "finished", JSON.stringify(end));
  const report = Report.parse(end.how === "finished" ? end.value : null);
  assert.deepEqual(
    report.tasks.map(({ task, status }) => `${task} ${status}`),
    [1, 2, 3, 4, 5].map((task) => `${task} complete`),
  );

  const tasks = git(root, "log", "--reverse", "--format=%(trailers:key=Superteam-Task,valueonly,separator=%x2C)");
  assert.deepEqual(tasks.split("\n").filter(Boolean), ["1", "2", "3", "4", "5"]);
  assert.equal(git(root, "status", "--porcelain"), "?? notes.txt");
  const plans = git(root, "log", "--reverse", "--format=%s", "--grep=plan of part").split("\n");
  assert.deepEqual(
    plans.map((subject) => subject.replace(/ — .*/, "")),
    ["workflow: design and plan of part 1", "workflow: plan of part 2", "workflow: plan of part 3"],
  );
  const told = formatReport(viewOf(entries));
  for (const part of [1, 2, 3]) assert.ok(told.includes(`- Plan: ${planPath(paths.plan, part)}\n`), told);

  const covered = [1, 3, 4].map((first, index) => {
    const part = index + 1;
    const reading = readPlan(
      readFileSync(join(root, planPath(paths.plan, part)), "utf8"),
      [`R${part}`],
      "counted",
      first,
    );
    return reading.ok ? reading.plan.tasks.map(({ id, covers }) => `${id} ${covers}`) : reading.problems;
  });
  assert.deepEqual(covered, [["1 R1", "2 R1"], ["3 R2"], ["4 R3", "5 R3"]]);

  const steps = orders.map((order) => whereIs(order).step);
  const times = (pattern: RegExp): number => steps.filter((step) => pattern.test(step)).length;
  assert.equal(times(/final-review$/), 1);
  assert.equal(times(/reassess\/scout$/), 2);
  const asked = entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" ? [entry.request.question.id] : [],
  );
  assert.equal(asked.filter((id) => id.startsWith("configure.")).length, 2);
  assert.deepEqual(
    asked.filter((id) => id.startsWith("part.")),
    ["part.1.next", "part.2.next"],
  );
});

test("whoever works on a part is told its scope, and what the parts before it have done", async (context) => {
  const root = join(folderFor(context), "repository");
  makeRepository(root);
  const { play, orders } = batchPlay();
  const { entries } = await goOn({ root, goal, play, answers });
  const promptOf = (step: string): string => orders.findLast((order) => whereIs(order).step === step)?.prompt ?? "";

  const commit = git(root, "log", "--format=%H", "--grep=task 2 ").slice(0, 10);
  assert.match(
    promptOf("part-2/reassess/scout"),
    new RegExp(`Task 2, Letter 2: complete \\(commit ${commit}: 2\\.txt`),
  );
  assert.match(promptOf("part-2/reassess/scout"), /next part: 2 of 3\nConsonants[\s\S]*R2[\s\S]*after it\n- Others/);
  const planner = promptOf("part-2/plan-write/plan");
  assert.match(planner, /Plan part 2 of 3 only\nConsonants: the Consonants alone\n.*covers exactly R2;/);
  assert.match(planner, /Tasks below number 3 were done in earlier parts\. Number your tasks from 3\./);
  assert.match(planner, /"covers" names R3, which is not a requirement of this plan/);
  assert.match(planner, /task ids must be 3 to 4 in order, not 1, 2/);
  for (const role of ["architect/architect-review", "spec-reviewer/plan-spec-review"]) {
    assert.match(promptOf(`part-2/plan-review/${role}`), /This plan is for part 2 and covers exactly R2/);
  }
  assert.match(promptOf("part-3/execute/task-4/implement"), /Task 3, Letter 3: complete[\s\S]*one of 5 tasks:/);

  const view = viewOf(entries);
  assert.deepEqual(
    [...view.tasks.values()].map(({ number, title }) => `${number} ${title}`),
    [1, 2, 3, 4, 5].map((number) => `${number} Letter ${number}`),
  );
  assert.deepEqual([...view.spend.tasks.keys()], ["1", "2", "3", "4", "5"]);
  const sum = [...view.spend.phases.values()].reduce((total, { costUsd }) => total + costUsd, 0);
  assert.ok(Math.abs(sum - view.spend.total.costUsd) < 1e-9);
  assert.deepEqual([...view.spend.phases.keys()].toSorted(), [
    "brainstorm",
    "execute",
    "finalize",
    "plan-review",
    "plan-write",
    "reassess",
  ]);
});

test("where the scout doubts the rest nothing is recommended, and a person who ends there gets what is done finished", async (context) => {
  const root = join(folderFor(context), "repository");
  makeRepository(root);
  const { play, orders } = batchPlay({ "part-2/reassess/scout": reassessed(false, "Nobody needs consonants.") });
  const { end, entries } = await goOn({ root, goal, play, answers: { ...answers, "part.1.next": ["end"] } });
  assert.equal(end.how, "finished");
  const report = Report.parse(end.how === "finished" ? end.value : null);
  assert.deepEqual(
    report.tasks.map(({ task }) => task),
    [1, 2],
  );
  const question = entries.flatMap((entry) =>
    entry.type === "begin" && entry.request.do === "ask" && entry.request.question.id === "part.1.next"
      ? [entry.request.question]
      : [],
  )[0];
  assert.equal(question?.recommended, undefined);
  assert.match(question?.message ?? "", /no longer right.*: Nobody needs consonants\./);
  assert.match(viewOf(entries).warnings.join(), /Not done.*after part 1 of 3: 2\. Consonants; 3\. Others/);
  const final = orders.find((order) => whereIs(order).step.endsWith("final-review"))?.prompt ?? "";
  assert.match(final, /R1/);
});

test("a run dropped in the middle of its second part goes on there and ends the same", {
  timeout: 600_000,
}, async (context) => {
  const folder = folderFor(context);
  const root = join(folder, "whole");
  makeRepository(root);
  let seen = 0;
  const isChosen = (entry: Entry): boolean => inPart2(entry) && seen++ % 19 === 0;
  const { watch, drops } = dropper(root, folder, isChosen);
  const reference = await goOn({ root, goal, play: batchPlay().play, answers, watch });
  assert.equal(reference.end.how, "finished");
  const expected = leftBy(root, reference.entries);
  assert.ok(drops.length >= 5, `${drops.length} drops`);
  await checkAll(drops, async (drop: Drop) => {
    const { end, entries } = await goOn({
      root: drop.root,
      goal,
      play: batchPlay().play,
      answers,
      goneAt: () => Promise.resolve(drop.at),
    });
    const where = describeDrop(drop, entries);
    assert.equal(end.how, "finished", where);
    assert.deepEqual(leftBy(drop.root, entries), expected, where);
    assert.deepEqual(repeatedAfter(drop, entries), [], where);
  });
});

function inPart2(entry: Entry): boolean {
  const where = "key" in entry ? entry.key : "scope" in entry ? entry.scope : "";
  return where.startsWith("part-2");
}

function leftBy(root: string, entries: readonly Entry[]) {
  return {
    commits: git(root, "log", "--format=%s %T"),
    status: git(root, "status", "--porcelain"),
    settled: entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])).toSorted(),
  };
}
