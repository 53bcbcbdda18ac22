import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { PastRun } from "../../core/money/experience.ts";
import { fileTime } from "../../core/text/format.ts";
import { fileRuns } from "./file-runs.ts";

const id = "20261115-093000-ab12";

test("runs are kept in the common folder, the lock and the pointer in the tree's own", async (t) => {
  const { runs, own, common } = await setUp(t);
  const folder = join(common, "superteam/runs", id);
  assert.deepEqual([runs.where(id), runs.dispatches(id).folder("d")], [folder, join(folder, "dispatches/d")]);
  assert.equal(runs.queue.where, join(common, "superteam/queue.json"));
  const leasing = await runs.lease(id);
  assert.ok(leasing.taken);
  await runs.writeActive(id);
  await (await runs.create(id)).close();
  (await runs.inbox(id)).listen(() => undefined)();
  await runs.history.add(ended);
  const kept = ["journal.jsonl", "blobs", "inbox"].map((name) => join(folder, name));
  for (const path of [join(own, "lock"), join(own, "active"), join(common, "superteam/history.jsonl"), ...kept])
    assert.ok(existsSync(path), path);
  await leasing.lease.release();
  assert.ok(!existsSync(join(own, "lock")));
});

test("the id of a run is its time and four digits, and sorts by time", async (t) => {
  const { runs } = await setUp(t);
  const before = fileTime(Date.now());
  const ids = Array.from({ length: 20 }, () => runs.newId());
  const after = fileTime(Date.now());
  for (const one of ids) {
    assert.match(one, /^\d{8}-\d{6}-[0-9a-f]{4}$/);
    assert.ok(before <= one.slice(0, -5) && one.slice(0, -5) <= after, one);
  }
  assert.ok(new Set(ids).size > 1);
  await setTimeout(2);
  const later = runs.newId();
  assert.deepEqual([...ids, later].toSorted().at(-1), later, "also within a second");
  const early = Date.UTC(2026, 10, 15, 9, 30, 0);
  assert.equal(fileTime(early), "20261115-093000");
  assert.ok(fileTime(early) < fileTime(early + 1000));
});

test("a pointer that holds something else than a run is told, with what to do", async (t) => {
  const { runs, own } = await setUp(t);
  await runs.writeActive(id);
  for (const text of ["", "../../etc", `${id}/..`]) {
    await writeFile(join(own, "active"), text);
    await assert.rejects(
      runs.readActive(),
      /should name the active run .* Write the id of the run into it .* or remove it/,
    );
  }
  await rm(join(own, "active"));
  await mkdir(join(own, "active"));
  await assert.rejects(runs.readActive(), /should name the active run .* but is a folder\. .* or remove it/);
});

test("runs are listed oldest first, and nothing else is", async (t) => {
  const { runs, common } = await setUp(t);
  assert.deepEqual(await runs.list(), []);
  for (const name of ["20261116-000000-0000", id, "not-a-run"])
    await mkdir(join(common, "superteam/runs", name), { recursive: true });
  assert.deepEqual(await runs.list(), [id, "20261116-000000-0000"]);
});

test("nothing but the id of a run becomes a path", async (t) => {
  const { runs } = await setUp(t);
  assert.throws(() => runs.where("../x"), /is not the id of a run/);
  await assert.rejects(runs.writeActive("x"), /is not the id of a run/);
});

const ended: PastRun = {
  v: 1,
  runId: id,
  goal: "g",
  how: "finished",
  mode: "quick",
  startedAt: 1,
  endedAt: 2,
  activeMs: 1,
  costUsd: 1,
  estimated: false,
  dispatches: 3,
  tasks: 1,
  rounds: 0,
  ceremonyRatio: null,
  samples: [],
  forecast: null,
};

/** A linked worktree: its git folder is not the common one. */
async function setUp(t: TestContext) {
  const common = await mkdtemp(join(tmpdir(), "superteam-runs-"));
  t.after(() => rm(common, { recursive: true, maxRetries: 5 }));
  const gitDir = join(common, "worktrees", "w");
  await mkdir(gitDir, { recursive: true });
  return { common, own: join(gitDir, "superteam"), runs: fileRuns({ gitDir, commonDir: common }) };
}

test("M2: a dispatch that no journal names gets a name of its own, so that the next one under its number writes elsewhere", async (t) => {
  const { runs } = await setUp(t);
  const dispatches = runs.dispatches(id);
  for (const name of ["000003-scout", "000007-implementer"]) await mkdir(dispatches.folder(name), { recursive: true });
  const named = new Set(["000003-scout"]);
  const lost = await dispatches.besides(named);
  assert.match(lost.join(), /^000007-implementer-lost-[0-9a-f]{4}$/);
  assert.deepEqual(
    ["000003-scout", "000007-implementer", ...lost].map((name) => existsSync(dispatches.folder(name))),
    [true, false, true],
  );
  assert.deepEqual(await dispatches.besides(named), lost, "and keeps it");
});
