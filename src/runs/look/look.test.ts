import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { queueOf } from "../../adapters/store/queue.ts";
import { type RunStore, runStore } from "../../adapters/store/runs.ts";
import { chooseRun } from "./look.ts";
import { lookAtLine } from "./queue.ts";

function storeFor(context: TestContext): RunStore {
  const gitDir = mkdtempSync(join(tmpdir(), "superteam-look-"));
  context.after(() => rmSync(gitDir, { recursive: true, force: true }));
  return runStore({ gitDir, commonDir: gitDir });
}

function makeRun(store: RunStore, runId: string, journal?: string): void {
  const { folder, journal: file } = store.paths(runId);
  mkdirSync(folder, { recursive: true });
  if (journal !== undefined) writeFileSync(file, journal);
}

test("the last run is one that has begun: a folder without an entry is passed over unless it is asked for", async (context) => {
  const store = storeFor(context);
  makeRun(store, "20260101-000000-aaaa", "{}\n");
  makeRun(store, "20260102-000000-bbbb");
  makeRun(store, "20260103-000000-cccc", "");
  assert.equal(await chooseRun(store, undefined), "20260101-000000-aaaa");
  assert.equal(await chooseRun(store, "20260102-000000-bbbb"), "20260102-000000-bbbb");
  rmSync(store.paths("20260101-000000-aaaa").folder, { recursive: true });
  await assert.rejects(chooseRun(store, undefined), /There has been no run in this repository/);
});

test("a part of an id is enough where only one run has it", async (context) => {
  const store = storeFor(context);
  for (const id of ["20260101-000000-aaaa", "20260102-000000-bbbb", "20260102-000001-aaaa"]) makeRun(store, id, "{}\n");
  assert.equal(await chooseRun(store, "bbbb"), "20260102-000000-bbbb");
  assert.equal(await chooseRun(store, "20260101"), "20260101-000000-aaaa");
  await assert.rejects(
    chooseRun(store, "aaaa"),
    /can be any of 20260101-000000-aaaa, 20260102-000001-aaaa\. Give more/,
  );
  await assert.rejects(chooseRun(store, "cccc"), /no run "cccc".*superteam runs/);
  await assert.rejects(chooseRun(store, ""), /no run ""/);
});

test("the line tells how many wait and which is next; without one nothing is said", async (context) => {
  const store = storeFor(context);
  assert.deepEqual(await lookAtLine(store), { inLine: 0, text: [] });
  const base = { sha: "a".repeat(40), branch: "main" };
  const run = (goal: string) =>
    ({ goal, mode: "quick", branch: "superteam/x", base, dryRun: false, skipBrainstorm: false }) as const;
  await queueOf(store.queue).add([run("First letter\n\nThis is part 1"), run("Second letter")], "r/queue:#1");
  const { inLine, text } = await lookAtLine(store);
  assert.equal(inLine, 2);
  assert.match(text.join("\n"), /^2 runs wait in line\. Next: First letter .*\nsuperteam run --next starts it/);
  await queueOf(store.queue).take({ isStarted: () => Promise.resolve(false), start: () => Promise.resolve(1) });
  assert.match((await lookAtLine(store)).text[0] ?? "", /^1 run waits in line\. Next: Second letter/);
});

test("a line that cannot be read is told as that, and keeps nobody from looking", async (context) => {
  const store = storeFor(context);
  mkdirSync(join(store.queue, ".."), { recursive: true });
  writeFileSync(store.queue, "{ broken");
  const { inLine, text } = await lookAtLine(store);
  assert.equal(inLine, null);
  assert.match(text.join("\n"), /queue\.json cannot be read/);
});
