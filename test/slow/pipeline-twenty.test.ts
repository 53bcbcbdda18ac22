// Twenty tasks with mixed outcomes, on real git with real (tiny) agent processes: the report is the expected one, word by
// word, and a run that is dropped on the way comes to the same end. UPDATE_SNAPSHOTS=1 writes the report anew.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { formatReport } from "../../src/engine/views/files/report.ts";
import { viewOf } from "../../src/engine/views/fold/run-view.ts";
import type { Entry } from "../../src/ports/journal.ts";
import { checkAll, type Drop, describeDrop, dropper, repeatedAfter } from "../rig/pipeline/drop.ts";
import { personsNote } from "../rig/pipeline/run.ts";
import { liveTwenty, makeTwentyRepository } from "../rig/pipeline/twenty.ts";
import { isSampled } from "../rig/sample.ts";

const golden = new URL("../rig/pipeline/twenty-report.md", import.meta.url);

test("twenty tasks with mixed outcomes end in the expected report, also when the run was dropped on the way", {
  timeout: 600_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-twenty-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole");
  makeTwentyRepository(whole);
  const { watch, drops } = dropper(whole, folder, ({ seq }) => isSampled(seq, 100));
  const { end, entries } = await liveTwenty({ root: whole, watch });
  assert.equal(end.how, "finished", JSON.stringify(entries.at(-1)));
  assertReport(entries);
  assertCommits(whole, entries);
  assert.ok(Math.abs(viewOf(entries).spend.total.costUsd - ledger(entries)) < 1e-9, "the ledger's sum is the total");

  const expected = endOf(whole, entries);
  await checkAll(drops, (drop) => check(drop, expected));
  context.diagnostic(`${entries.length} records, dropped at ${drops.map(({ entry }) => entry.seq).join(", ")}`);
  assert.ok(drops.length >= 10, `${drops.length} drops`);
});

async function check(drop: Drop, expected: ReturnType<typeof endOf>): Promise<void> {
  const { end, entries } = await liveTwenty({ root: drop.root, goneAt: () => Promise.resolve(drop.at) });
  const where = describeDrop(drop, entries);
  assert.equal(end.how, "finished", where);
  assert.deepEqual(endOf(drop.root, entries), expected, where);
  assert.deepEqual(repeatedAfter(drop, entries), [], where);
  assert.ok(Math.abs(viewOf(entries).spend.total.costUsd - ledger(entries)) < 1e-9, where);
  rmSync(drop.root, { recursive: true, force: true });
}

function assertReport(entries: readonly Entry[]): void {
  const report = scrubbed(formatReport(viewOf(entries)));
  if (process.env["UPDATE_SNAPSHOTS"] || !existsSync(golden)) writeFileSync(golden, report);
  assert.equal(report, readFileSync(golden, "utf8"));
}

/** Without what differs from run to run: hashes, times, numbers of entries, and which of two agents was started first. */
function scrubbed(report: string): string {
  return report
    .replaceAll(/\b[0-9a-f]{7}\b/g, "<sha>")
    .replaceAll(/(refs\/superteam\/[^/\s]+\/)\d+-/g, "$1<seq>-")
    .replaceAll(/ passed in (?:\d+h )?(?:\d+m )?\d+s/g, " passed in <time>")
    .replaceAll(/, (?:\d+h )?(?:\d+m )?\d+s(?=, |\))/g, ", <time>")
    .replace(/^(- Forecast: .*\)), .*?; based/m, "$1, <time>; based")
    .replace(/^- Elapsed: .*$/m, "- Elapsed: <time>")
    .replace(/^(- Agent calls: \d+) \((.*)\)$/m, (_, total, roles) => `${total} (${sorted(roles)})`);
}

function sorted(roles: string): string {
  return roles.split("; ").toSorted().join("; ");
}

/** One commit per task that changed something, each with its own file only, and the report's own hashes. */
function assertCommits(root: string, entries: readonly Entry[]): void {
  const git = gitIn(root);
  const log = git("log", "--reverse", "--format=%H %(trailers:key=Superteam-Task,valueonly,separator=)").split("\n");
  const made = log.flatMap((line) => (/^\S+ \d+$/.test(line) ? [line.split(" ")] : []));
  const told = [...viewOf(entries).tasks.values()].flatMap(({ id, commit }) => (commit === null ? [] : [[commit, id]]));
  assert.deepEqual(made, told);
  for (const [sha = "", task = ""] of made) {
    const file = `letters/${task.padStart(2, "0")}.txt`;
    assert.equal(git("show", "--format=", "--name-only", sha), file);
  }
}

/** What was paid, as it arrived. */
function ledger(entries: readonly Entry[]): number {
  const usages = entries.flatMap((entry) => (entry.type === "note" && entry.note.type === "usage" ? [entry.note] : []));
  return usages.reduce((sum, { usage }) => sum + usage.costUsd, 0);
}

/** What a run leaves, whatever happened on the way. Its own cost is not in it: interrupted agents are paid for too. */
function endOf(root: string, entries: readonly Entry[]) {
  const git = gitIn(root);
  assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), personsNote);
  const { tasks, waivers, deferred } = viewOf(entries);
  return {
    commits: git("log", "--format=%s %T"),
    status: git("status", "--porcelain"),
    settled: entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])).toSorted(),
    tasks: [...tasks.values()].map(({ id, status, round, escalated }) => ({ id, status, round, escalated })),
    waivers,
    deferred,
  };
}

function gitIn(root: string): (...args: readonly string[]) => string {
  return (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}
