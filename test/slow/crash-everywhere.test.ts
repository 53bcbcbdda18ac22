// With real git and real processes the run is dropped at a sample of its records (crash-simulated.test.ts does it at all of them).
// At record n the tree and the run store are copied as they are at that moment, agents at work included; later each copy is
// resumed and has to end as the run that was never dropped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readPlan } from "../../src/core/plan/document.ts";
import { inputFor, sdd } from "../../src/pipelines/sdd.ts";
import type { Entry } from "../../src/ports/journal.ts";
import { checkAll, type Drop, describeDrop, dropper, repeatedAfter } from "../rig/pipeline/drop.ts";
import { type Lived, goOn as runPipeline } from "../rig/pipeline/run.ts";
import { planDocument } from "../rig/pipeline/scripts.ts";
import { isSampled } from "../rig/sample.ts";
import { goal, goOn, makeRepository, personsNote, play, tasks } from "../rig/small-run.ts";

const timeout = 2_400_000;

test("a run dropped at any record goes on to the same end and repeats nothing", { timeout }, (context) =>
  dropEverywhere(context, goOn, 6),
);

test("so does a run of one task of a plan", { timeout }, (context) => {
  const text = planDocument(goal, tasks);
  const reading = readPlan(text, null);
  const plan = reading.ok ? reading.plan : assert.fail(reading.problems.join());
  const second = plan.tasks[1] ?? assert.fail();
  const order = { pipeline: sdd, input: inputFor({ path: "docs/plan.md", text, plan }, second, []) };
  return dropEverywhere(context, (options) => runPipeline({ goal, play, answers: {}, order, ...options }), 10);
});

async function dropEverywhere(context: TestContext, live: typeof goOn, oneOf: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "superteam-drop-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole");
  makeRepository(whole);
  const { watch, drops } = dropper(whole, folder, ({ seq }) => isSampled(seq, oneOf));
  const reference = await live({ root: whole, watch });
  assert.equal(reference.end.how, "finished");
  const expected = endOf(whole, reference.entries);

  const resume = ({ root, at }: Drop) => live({ root, goneAt: () => Promise.resolve(at) });
  await checkAll(drops, async (drop) => check(drop, await resume(drop), expected));
  context.diagnostic(`${reference.entries.length} records, ${drops.length} drops`);
  assert.ok(drops.length >= Math.floor(reference.entries.length / oneOf) - 1, `${drops.length} drops`);
}

function check(drop: Drop, resumed: Lived, expected: ReturnType<typeof endOf>): void {
  const where = describeDrop(drop, resumed.entries);
  assert.equal(resumed.end.how, "finished", where);
  assert.deepEqual(endOf(drop.root, resumed.entries), expected, where);
  assert.deepEqual(repeatedAfter(drop, resumed.entries), [], where);
  rmSync(drop.root, { recursive: true, force: true });
}

/**
 * What a run leaves: commits with their trees, the tree's state, the person's file, what came to an outcome, what was answered.
 * Which of two agents that work side by side ends first is no part of it.
 */
function endOf(root: string, entries: readonly Entry[]) {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), personsNote);
  return {
    commits: git("log", "--format=%s %T"),
    status: git("status", "--porcelain"),
    // An agent that is dropped in the middle of a git command leaves git's lock, so the next one may fail to commit: then nobody warns of that.
    settled: entries
      .flatMap((entry) => (entry.type === "settle" && !entry.key.includes("/record:warning#") ? [entry.key] : []))
      .toSorted(),
    answered: answersIn(entries),
  };
}

function answersIn(entries: readonly Entry[]): Readonly<Record<string, unknown>> {
  const asked = entries.flatMap((entry) => (entry.type === "begin" && entry.request.do === "ask" ? [entry.key] : []));
  const answers = entries.filter((entry) => entry.type === "settle" && asked.includes(entry.key));
  return Object.fromEntries(answers.map((entry) => (entry.type === "settle" ? [entry.key, entry.outcome] : [])));
}
