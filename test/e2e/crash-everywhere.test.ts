// Exhaustively: the run is dropped at each of its records. At record n the tree and the run store are copied as they are
// at that moment, agents at work included; later each copy is resumed and has to end as the run that was never dropped.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { variableOf } from "../../src/adapters/process/table.ts";
import { tagVariable } from "../../src/adapters/process/tree.ts";
import type { Entry } from "../../src/ports/journal.ts";
import { goOn, makeRepository, personsNote } from "../rig/small-run.ts";

interface Drop {
  readonly root: string;
  readonly entry: Entry;
  readonly at: number;
}

test("a run dropped at any record goes on to the same end and repeats nothing", {
  timeout: 600_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "superteam-drop-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole");
  makeRepository(whole);
  const drops: Drop[] = [];
  const tags = new Set<string>();
  const watch = (entry: Entry): void => {
    if (entry.type === "note" && entry.note.type === "spawned") tags.add(entry.note.process.tag);
    const root = join(folder, String(entry.seq));
    // A copy takes a while. An agent that went on meanwhile would leave a state that no crash can leave.
    const frozen = processesTagged(tags);
    for (const pid of frozen) signal(pid, "SIGSTOP");
    cpSync(whole, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    for (const pid of frozen) signal(pid, "SIGCONT");
    drops.push({ root, entry, at: Date.now() });
  };
  const reference = await goOn({ root: whole, watch });
  assert.equal(reference.end.how, "finished");
  const expected = endOf(whole, reference.entries);

  const waiting = [...drops];
  const worker = async (): Promise<void> => {
    for (let drop = waiting.pop(); drop !== undefined; drop = waiting.pop()) await check(drop, expected);
  };
  await Promise.all([worker(), worker()]);
  context.diagnostic(`${reference.entries.length} records, ${drops.length} drops`);
  assert.equal(drops.length, reference.entries.length);
});

async function check({ root, entry, at }: Drop, expected: ReturnType<typeof endOf>): Promise<void> {
  const resumed = await goOn({ root, goneAt: () => Promise.resolve(at) });
  const where = `dropped at record ${entry.seq}: ${JSON.stringify(entry).slice(0, 200)}`;
  assert.equal(resumed.end.how, "finished", `${where}: ${JSON.stringify(resumed.end)}`);
  assert.deepEqual(endOf(root, resumed.entries), expected, where);
  const before = new Set(
    resumed.entries.slice(0, entry.seq).flatMap((one) => (one.type === "settle" ? [one.key] : [])),
  );
  const again = resumed.entries.slice(entry.seq).filter((one) => one.type === "begin" && before.has(one.key));
  assert.deepEqual(again, [], where);
  rmSync(root, { recursive: true, force: true });
}

function processesTagged(tags: ReadonlySet<string>): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const tag = variableOf(pid, tagVariable);
    return tag !== undefined && tags.has(tag);
  });
}

/** It may have ended since we looked. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** What a run leaves: commits with their trees, the tree's state, the person's file, what was answered and paid for. */
function endOf(root: string, entries: readonly Entry[]) {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  assert.equal(readFileSync(join(root, "notes.txt"), "utf8"), personsNote);
  return {
    commits: git("log", "--format=%s %T"),
    status: git("status", "--porcelain"),
    settled: entries.flatMap((entry) => (entry.type === "settle" ? [entry.key] : [])),
  };
}
