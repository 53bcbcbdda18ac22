// Exhaustively: the run is dropped at each of its records. At record n the tree and the run store are copied as they are
// at that moment, agents at work included; later each copy is resumed and has to end as the run that was never dropped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "../../src/ports/journal.ts";
import { checkAll, type Drop, describeDrop, dropper, repeatedAfter } from "../rig/pipeline/drop.ts";
import { goOn, makeRepository, personsNote } from "../rig/small-run.ts";

test("a run dropped at any record goes on to the same end and repeats nothing", {
  timeout: 1_500_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-drop-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole");
  makeRepository(whole);
  const { watch, drops } = dropper(whole, folder);
  const reference = await goOn({ root: whole, watch });
  assert.equal(reference.end.how, "finished");
  const expected = endOf(whole, reference.entries);

  await checkAll(drops, (drop) => check(drop, expected));
  context.diagnostic(`${reference.entries.length} records, ${drops.length} drops`);
  assert.equal(drops.length, reference.entries.length);
});

async function check(drop: Drop, expected: ReturnType<typeof endOf>): Promise<void> {
  const resumed = await goOn({ root: drop.root, goneAt: () => Promise.resolve(drop.at) });
  const where = describeDrop(drop, resumed.entries);
  assert.equal(resumed.end.how, "finished", where);
  assert.deepEqual(endOf(drop.root, resumed.entries), expected, where);
  assert.deepEqual(repeatedAfter(drop, resumed.entries), [], where);
  rmSync(drop.root, { recursive: true, force: true });
}

/**
 * What a run leaves: commits with their trees, the tree's state, the person's file, what was answered and paid for.
 * Which of two agents that work side by side ends first is no part of it.
 */
function endOf(root: string, entries: readonly Entry[]) {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), personsNote);
  return {
    commits: git("log", "--format=%s %T"),
    status: git("status", "--porcelain"),
    settled: entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])).toSorted(),
  };
}
