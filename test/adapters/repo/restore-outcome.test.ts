import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeNested, makeRig } from "./rig.ts";

test("a restore says whether it moved HEAD, also when that is all it did", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  assert.equal((await repo.restore(anchor, "files")).moved, false);
  await rig.git("add", "notes.txt");
  await rig.git("commit", "-qm", "only what was there");
  const { restored, moved } = await repo.restore(anchor, "commit");
  assert.deepEqual([restored, moved], [[], true]);
  await rig.git("checkout", "-qb", "other");
  assert.equal((await repo.restore(anchor, "branch")).moved, true);
});

test("just the named files are given back, and what was in their place is kept", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const mine = ["gone.txt", "notes.txt", "todo", "ideas/one.txt", "kept.txt"];
  for (const path of mine) await rig.write(path, "the person's");
  const anchor = await repo.snapshot("task/1");
  await rig.remove("gone.txt");
  await rig.write("notes.txt", "the agent's");
  await rig.remove("todo");
  await rig.write("todo/inner", "the agent's");
  await rig.remove("ideas");
  await rig.write("ideas", "the agent's");
  await rig.write("kept.txt", "not named");
  await rig.write("a.txt", "2");
  await rig.git("commit", "-qam", "by the agent");
  const head = await repo.head();
  const outcome = await repo.restoreFiles(anchor, mine.slice(0, 4));

  for (const path of mine.slice(0, 4)) assert.equal(await rig.read(path), "the person's", path);
  assert.deepEqual([await rig.read("kept.txt"), await rig.read("a.txt")], ["not named", "2"]);
  assert.deepEqual(await repo.head(), head);
  assert.deepEqual([...outcome.restored].sort(), [
    "gone.txt",
    "ideas",
    "ideas/one.txt",
    "notes.txt",
    "todo",
    "todo/inner",
  ]);
  assert.deepEqual([outcome.moved, outcome.leftAlone], [false, []]);
  for (const path of ["notes.txt", "todo/inner", "ideas"]) {
    assert.equal(await rig.git("show", `${outcome.backupRef}:${path}`), "the agent's", path);
  }
  assert.deepEqual((await repo.changes(anchor)).personFiles, [{ path: "kept.txt", change: "modified" }]);
});

test("giving back again keeps what was kept before, and names what cannot be given back", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("notes.txt", "first");
  const first = await repo.restoreFiles(anchor, ["notes.txt"]);
  assert.deepEqual(await repo.restoreFiles(anchor, ["notes.txt"]), { ...first, restored: [] });
  assert.equal(await rig.git("show", `${first.backupRef}:notes.txt`), "first");
  await rig.remove("notes.txt");
  await makeNested(rig, "notes.txt");
  const second = await repo.restoreFiles(anchor, ["notes.txt"]);
  assert.deepEqual([second.restored, second.leftAlone], [[], ["notes.txt"]]);
  assert.equal(await rig.git("show", `${second.backupRef}:notes.txt`), "first");
  await rig.remove("notes.txt");
  await rig.write("notes.txt", "third");
  const third = await repo.restoreFiles(anchor, ["notes.txt"]);
  const kept = [`${third.backupRef}:notes.txt`, `${third.backupRef}^2:notes.txt`];
  assert.equal(await rig.git("show", ...kept), "thirdfirst");
});

test("a lock that a killed git left behind does not stop a restore; one of a git at work does", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  await rig.write("a.txt", "2");
  await rig.git("commit", "-qam", "by the agent");
  const old = new Date(Date.now() - 60_000);
  const locks = [".git/HEAD.lock", ".git/index.lock"].map((lock) => join(rig.root, lock));
  for (const lock of locks) {
    await writeFile(lock, "");
    await utimes(lock, old, old);
  }
  const atWork = spawn("git", ["cat-file", "--batch"], { cwd: rig.root, stdio: ["pipe", "ignore", "ignore"] });
  await once(atWork, "spawn");
  await assert.rejects(repo.restore(anchor, "r"), /lock/);
  atWork.kill();
  await once(atWork, "close");
  await repo.restore(anchor, "r");
  assert.equal(await repo.tree(), anchor.tree);
  assert.equal((await repo.head()).sha, anchor.sha);
});

test("a state without some work has its files as before it, or as somebody has committed them since, and all else as it is", async (t) => {
  const rig = await makeRig(t, { "a.txt": "1", "gone.txt": "1", "taken.txt": "1", todo: "1" });
  const repo = await rig.open();
  const start = await repo.snapshot("start");
  await rig.write("a.txt", "worked on");
  await rig.write("new.txt", "worked on");
  await rig.write("taken.txt", "worked on");
  await rig.remove("gone.txt");
  await rig.remove("todo");
  await rig.write("todo/inner", "worked on");
  const files = (await repo.changes(start)).files.map(({ path }) => path);
  await rig.write("taken.txt", "the person's");
  await rig.git("commit", "-qm", "Mine", "--", "taken.txt");
  await rig.write("taken.txt", "worked on again");
  await rig.write("notes.txt", "the person's");
  const tree = await repo.tree();
  const here = await repo.snapshot("here");
  const without = await repo.anchorWithout(here, { start, files }, "without");
  assert.equal(await repo.tree(), tree, "the tree itself is left alone");
  assert.deepEqual(without, await repo.anchorWithout(here, { start, files }, "without"));

  await repo.restore(without, "back");
  const texts = await Promise.all(["a.txt", "gone.txt", "todo", "taken.txt", "notes.txt"].map(rig.read));
  assert.deepEqual(texts, ["1", "1", "1", "the person's", "the person's"]);
  assert.equal(await rig.exists("new.txt"), false);
  assert.equal((await rig.git("status", "--porcelain")).trim(), "?? notes.txt");
});
