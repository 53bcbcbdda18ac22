// A real kill -9 at every fourth record of the demo, one after another, each followed by a resume: the same commits, no dispatch
// repeated that had an outcome, no process left, the person's file untouched. Two chains share the records, so that both
// cores work: the first is killed in the first half of the run, the second in the second half.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "../../src/ports/journal.ts";
import { agentsAlive, DemoRun } from "../rig/crash/demo-run.ts";
import { namer } from "../rig/crash/identity.ts";
import { isSampled } from "../rig/sample.ts";

test("a run that is killed at a sample of its records ends as one that never was", {
  timeout: 2_400_000,
}, async (context) => {
  const reference = await DemoRun.open();
  context.after(() => reference.close());
  assert.equal((await reference.go()).code, 0);
  const entries = await reference.entries();
  const names = entries.map(namer());
  assert.equal(new Set(names).size, names.length, "every record has a name of its own");

  const targets = names.filter((_, index) => isSampled(index, 4));
  const half = Math.floor(targets.length / 2);
  const chains = await Promise.all([chain(targets.slice(0, half)), chain(targets.slice(half))]);
  const kills = chains.reduce((sum, { kills }) => sum + kills, 0);
  context.diagnostic(`${names.length} records, ${kills} kills`);
  assert.equal(kills, targets.length);
  assert.ok(
    targets.some((name) => name.startsWith("usage ")),
    "records written while an agent runs are among them",
  );
  for (const { run } of chains) {
    context.after(() => run.close());
    await sameEnd(run, reference);
  }
});

/** Goes from kill to kill, then on to the end. */
async function chain(targets: readonly string[]): Promise<{ run: DemoRun; kills: number }> {
  const run = await DemoRun.open();
  let kills = 0;
  for (const target of targets) {
    const exit = await run.go(target);
    assert.equal(exit.signal, "SIGKILL", `at ${target} it should have died, but: exit ${exit.code}\n${exit.stderr}`);
    kills++;
  }
  const end = await run.go();
  assert.equal(end.code, 0, end.stderr);
  return { run, kills };
}

async function sameEnd(run: DemoRun, reference: DemoRun): Promise<void> {
  const commits = (one: DemoRun): string => one.git("log", "--format=%s %T", "--grep=Superteam-Task");
  assert.equal(commits(run), commits(reference), "the same task commits with the same trees");
  assert.equal(run.git("log", "--format=%s"), reference.git("log", "--format=%s"));
  assert.equal(run.git("status", "--porcelain"), "?? notes.txt");
  assert.equal(run.file("notes.txt"), reference.file("notes.txt"));
  const entries = await run.entries();
  assert.deepEqual(repeated(entries), []);
  assert.ok(Math.abs(paid(entries) - paid(await reference.entries())) < 1e-9, "what counted was paid for once");
  assert.deepEqual(agentsAlive(run.repository), []);
}

/** Requests that were begun again after they had an outcome, or settled twice. */
function repeated(entries: readonly Entry[]): readonly string[] {
  const settled = new Set<string>();
  const twice: string[] = [];
  for (const entry of entries) {
    if ((entry.type === "begin" || entry.type === "settle") && settled.has(entry.key)) twice.push(entry.key);
    if (entry.type === "settle") settled.add(entry.key);
  }
  return twice;
}

/** The cost of the tries that came to an outcome; interrupted ones are in the ledger too, beside these. */
function paid(entries: readonly Entry[]): number {
  let sum = 0;
  let current = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type === "begin") current.set(entry.key, 0);
    if (entry.type === "note" && entry.note.type === "usage")
      current.set(entry.key, (current.get(entry.key) ?? 0) + entry.note.usage.costUsd);
    if (entry.type === "settle") {
      sum += current.get(entry.key) ?? 0;
      current = new Map([...current].filter(([key]) => key !== entry.key));
    }
  }
  return sum;
}
