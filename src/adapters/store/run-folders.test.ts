import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { newRunId, runStore } from "./run-folders.ts";

const id = "20261115-093000-ab12";

test("runs are kept in the common folder, the lock and the pointer in the tree's own", () => {
  const store = runStore({ gitDir: "/repo/.git/worktrees/w", commonDir: "/repo/.git" });
  assert.equal(store.lock, "/repo/.git/worktrees/w/superteam/lock");
  assert.equal(store.active, "/repo/.git/worktrees/w/superteam/active");
  assert.equal(store.history, "/repo/.git/superteam/history.jsonl");
  const folder = `/repo/.git/superteam/runs/${id}`;
  assert.deepEqual(store.paths(id), {
    folder,
    journal: `${folder}/journal.jsonl`,
    blobs: `${folder}/blobs`,
    dispatches: `${folder}/dispatches`,
    inbox: `${folder}/inbox`,
  });
});

test("the id of a run is its time and four digits, and sorts by time", () => {
  const early = newRunId(Date.UTC(2026, 10, 15, 9, 30, 0));
  assert.match(early, /^20261115-093000-[0-9a-f]{4}$/);
  assert.ok(early < newRunId(Date.UTC(2026, 10, 15, 9, 30, 1)));
  assert.ok(new Set(Array.from({ length: 20 }, () => newRunId(0))).size > 1);
});

test("a pointer that names no run points nowhere", async (t) => {
  const { store } = await setUp(t);
  await store.writeActive(id);
  for (const text of ["", "../../etc", `${id}/..`]) {
    await writeFile(store.active, text);
    assert.equal(await store.readActive(), undefined);
  }
});

test("runs are listed oldest first, and nothing else is", async (t) => {
  const { store } = await setUp(t);
  assert.deepEqual(await store.list(), []);
  for (const name of ["20261116-000000-0000", id, "not-a-run"])
    await mkdir(join(store.runs, name), { recursive: true });
  assert.deepEqual(await store.list(), [id, "20261116-000000-0000"]);
});

test("nothing but the id of a run becomes a path", async (t) => {
  const { store } = await setUp(t);
  assert.throws(() => store.paths("../x"), /is not the id of a run/);
  await assert.rejects(store.writeActive("x"), /is not the id of a run/);
});

async function setUp(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "superteam-runs-"));
  t.after(() => rm(root, { recursive: true }));
  return { root, store: runStore({ gitDir: root, commonDir: root }) };
}
