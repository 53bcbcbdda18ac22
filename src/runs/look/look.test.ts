import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileRuns } from "../../adapters/store/file-runs.ts";
import type { Runs } from "../../ports/runs.ts";
import { chooseRun } from "./choose.ts";
import { lookAtLine } from "./look.ts";

function runsFor(context: TestContext): Runs {
  const gitDir = mkdtempSync(join(tmpdir(), "superteam-look-"));
  context.after(() => rmSync(gitDir, { recursive: true, force: true }));
  return fileRuns({ gitDir, commonDir: gitDir });
}

function makeRun(runs: Runs, runId: string, journal?: string): void {
  const folder = runs.where(runId);
  mkdirSync(folder, { recursive: true });
  if (journal !== undefined) writeFileSync(join(folder, "journal.jsonl"), journal);
}

test("the last run is one that has begun: a folder without an entry is passed over unless it is asked for", async (context) => {
  const runs = runsFor(context);
  makeRun(runs, "20260101-000000-aaaa", "{}\n");
  makeRun(runs, "20260102-000000-bbbb");
  makeRun(runs, "20260103-000000-cccc", "");
  assert.equal(await chooseRun(runs, undefined), "20260101-000000-aaaa");
  assert.equal(await chooseRun(runs, "20260102-000000-bbbb"), "20260102-000000-bbbb");
  rmSync(runs.where("20260101-000000-aaaa"), { recursive: true });
  await assert.rejects(chooseRun(runs, undefined), /There are no runs in this repository yet/);
});

test("a part of an id is enough where only one run has it", async (context) => {
  const runs = runsFor(context);
  for (const id of ["20260101-000000-aaaa", "20260102-000000-bbbb", "20260102-000001-aaaa"]) makeRun(runs, id, "{}\n");
  assert.equal(await chooseRun(runs, "bbbb"), "20260102-000000-bbbb");
  assert.equal(await chooseRun(runs, "20260101"), "20260101-000000-aaaa");
  await assert.rejects(
    chooseRun(runs, "aaaa"),
    /matches several runs: 20260101-000000-aaaa, 20260102-000001-aaaa\. Give more/,
  );
  await assert.rejects(chooseRun(runs, "cccc"), /no run "cccc".*superteam runs/);
  await assert.rejects(chooseRun(runs, ""), /no run ""/);
});

test("the line tells how many wait and which is next; without one nothing is said", async (context) => {
  const runs = runsFor(context);
  assert.deepEqual(await lookAtLine(runs), { inLine: 0, text: [] });
  const base = { sha: "a".repeat(40), branch: "main" };
  const run = (goal: string) =>
    ({ goal, mode: "quick", branch: "superteam/x", base, dryRun: false, skipBrainstorm: false }) as const;
  await runs.queue.add([run("First letter\n\nThis is part 1"), run("Second letter")], "r/queue:#1");
  const { inLine, text } = await lookAtLine(runs);
  assert.equal(inLine, 2);
  assert.match(text.join("\n"), /^2 runs are queued\. Next: First letter .*\nTo start it .*: superteam run --next/);
  await runs.queue.take(() => Promise.resolve(1));
  assert.match((await lookAtLine(runs)).text[0] ?? "", /^1 run is queued\. Next: Second letter/);
});

test("a line that cannot be read is told as that, and keeps nobody from looking", async (context) => {
  const runs = runsFor(context);
  mkdirSync(dirname(runs.queue.where), { recursive: true });
  writeFileSync(runs.queue.where, "{ broken");
  const { inLine, text } = await lookAtLine(runs);
  assert.equal(inLine, null);
  assert.match(text.join("\n"), /queue\.json cannot be read/);
});
