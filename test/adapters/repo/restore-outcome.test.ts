import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeNested, makeRig } from "./rig.ts";

test("giving back again keeps what was kept before, and moves aside what no tree can hold", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  await rig.write("notes.txt", "the person's");
  const anchor = await repo.snapshot("s");
  await rig.write("notes.txt", "first");
  const giveBack = () => repo.restoreFiles(anchor, ["notes.txt"], "s");
  const first = await giveBack();
  assert.deepEqual(await giveBack(), { ...first, restored: [] });
  assert.equal(await rig.git("show", `${first.backupRef}:notes.txt`), "first");
  await rig.remove("notes.txt");
  await makeNested(rig, "notes.txt");
  const second = await giveBack();
  assert.deepEqual([second.restored, second.leftAlone], [["notes.txt"], []]);
  assert.equal(await rig.git("show", `${first.backupRef}:notes.txt`), "first");
  assert.equal(await readFile(join(second.asideIn ?? "", "notes.txt/file.txt"), "utf8"), "theirs");
  await rig.write("notes.txt", "third");
  const third = await giveBack();
  const kept = [`${third.backupRef}:notes.txt`, `${first.backupRef}:notes.txt`];
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
