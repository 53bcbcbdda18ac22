// Other ways than a switch to make the files those of a commit that was there before, while a writer works (E3b): stashes, pulls, rebases.
// And an end of a writer that a crash interrupted.

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { committed, order } from "../../contracts/repo/order.ts";
import { makeFolder, makeRig, type Rig, rigIn } from "./rig.ts";

/** `main` has a commit more than `old`, which brought a letter. */
async function withLetter(t: TestContext): Promise<Rig> {
  const rig = await makeRig(t, { "a.txt": "1\n", "b.txt": "1\n" });
  await rig.git("branch", "old");
  await rig.write("letter.txt", "of task 1\n");
  await rig.write("a.txt", "2\n");
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "task 1");
  return rig;
}

test("E3b: what a stash took from the person, and of work that the writer was to continue, comes back", async (t) => {
  const rig = await withLetter(t);
  const repo = await rig.open();
  await rig.write("a.txt", "mine\n");
  await rig.write("notes.txt", "mine\n");
  await rig.write("letter.txt", "by the first writer\n");
  await rig.write("new.txt", "by the first writer\n");
  const given = await repo.snapshot("s");
  await rig.write("new.txt", "by the second\n");
  await rig.git("stash", "-q", "-u");
  await rig.write("b.txt", "2\n");
  const { changed, dirty, putBack } = await repo.afterWriter({ given, ours: ["letter.txt", "new.txt"] }, "w");
  assert.deepEqual([changed, dirty], [["b.txt"], []]);
  assert.deepEqual(
    [putBack.files, putBack.switched],
    [
      ["a.txt", "notes.txt"],
      ["letter.txt", "new.txt"],
    ],
  );
  assert.deepEqual([putBack.refs, await rig.git("stash", "list")], [["stash"], ""]);
  const texts = await Promise.all(["a.txt", "notes.txt", "letter.txt", "new.txt"].map(rig.read));
  assert.deepEqual(texts, ["mine\n", "mine\n", "by the first writer\n", "by the first writer\n"]);
  const stash = putBack.refsKept.find((ref) => ref.includes("stash"));
  assert.equal(await rig.git("show", `${stash}^3:new.txt`), "by the second\n");
  assert.equal((await repo.look()).index, given.index);
});

test("E3b: a stash on top of a writer's own commit takes nothing of what it committed", async (t) => {
  const rig = await withLetter(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.write("b.txt", "2\n");
  await rig.git("commit", "-qam", "by the agent");
  await rig.write("b.txt", "3\n");
  await rig.git("stash", "-q");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched, await rig.read("b.txt")], [["b.txt"], undefined, "2\n"]);
});

/** The same with a repository that it was pushed to, and a clone of that. */
async function withOrigin(t: TestContext): Promise<{ readonly rig: Rig; readonly other: Rig }> {
  const rig = await withLetter(t);
  const folder = await makeFolder(t);
  const origin = join(folder, "origin.git");
  await rig.git("clone", "-q", "--bare", ".", origin);
  await rig.git("remote", "add", "origin", origin);
  await rig.git("push", "-q", "-u", "origin", "main");
  const other = rigIn(join(folder, "other"));
  await rig.git("clone", "-q", origin, other.root);
  await other.git("config", "user.name", "Bob");
  await other.git("config", "user.email", "bob@example.com");
  return { rig, other };
}

test("E3b: a pull brings no work, and is no push", async (t) => {
  const { rig, other } = await withOrigin(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await other.write("letter.txt", "by a colleague\n");
  await other.git("commit", "-qam", "by a colleague");
  await other.git("push", "-q");
  await rig.git("pull", "-q", "--ff-only");
  await rig.write("b.txt", "2\n");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched, putBack.pushed], [["b.txt"], ["letter.txt"], []]);
  assert.equal(await rig.read("letter.txt"), "of task 1\n");
});

test("E3b: what a writer committed and pushed is its work, also when it pulls", async (t) => {
  const { rig } = await withOrigin(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.write("b.txt", "2\n");
  await rig.git("commit", "-qam", "by the agent");
  await rig.git("push", "-q");
  await rig.git("pull", "-q", "--ff-only");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched, putBack.pushed], [["b.txt"], undefined, ["origin/main"]]);
});

test("E3b: work that a writer rebased to an older commit is its work, and what is older is not", async (t) => {
  const rig = await withLetter(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.write("b.txt", "2\n");
  await rig.git("commit", "-qam", "by the agent");
  await rig.git("rebase", "-q", "--onto", "old", "HEAD~1");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched], [["b.txt"], ["a.txt", "letter.txt"]]);
  assert.equal(await rig.read("letter.txt"), "of task 1\n");
});

test("E3b: what a writer merged by a commit of its own is its work", async (t) => {
  const rig = await withLetter(t);
  await rig.git("checkout", "-q", "-b", "other", "old");
  await rig.write("b.txt", "merged\n");
  await rig.git("commit", "-qam", "other");
  await rig.git("checkout", "-q", "main");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("merge", "-q", "--no-edit", "other");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched], [["b.txt"], undefined]);
});

test("E3b: an end that was interrupted once HEAD, or a stash, was back finds what they did to the files", async (t) => {
  const rig = await withLetter(t);
  const repo = await rig.open();
  await rig.write("b.txt", "by the first writer\n");
  const given = await repo.snapshot("s");
  const tip = "refs/superteam/run-1/w.tip";
  await rig.git("stash", "-q");
  await rig.git("update-ref", "refs/superteam/run-1/w-stash.tip", "stash@{0}");
  await rig.git("stash", "drop", "-q");
  await rig.git("checkout", "-q", "--detach", "old");
  await rig.write("new.txt", "2\n");
  await rig.git("add", "new.txt");
  await rig.git("commit", "-qm", "by the agent");
  await rig.git("update-ref", tip, "HEAD");
  await rig.git("symbolic-ref", "HEAD", "refs/heads/main");
  const { changed, putBack } = await repo.afterWriter({ given, ours: ["b.txt"] }, "w");
  assert.deepEqual([changed, putBack.switched], [["new.txt"], ["a.txt", "b.txt", "letter.txt"]]);
  assert.deepEqual([await rig.read("b.txt"), await rig.read("a.txt")], ["by the first writer\n", "2\n"]);
  await rig.remove("a.txt");
  const again = await repo.afterWriter({ given, ours: ["b.txt"] }, "w");
  assert.deepEqual(again.changed, ["a.txt", "new.txt"], "what is as in no other commit is work");
});

test("E3b: a submodule that went along with a switch enters no commit", async (t) => {
  const rig = await makeRig(t);
  const inner = await makeRig(t, { "inner.txt": "1\n" });
  await rig.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
  await rig.git("commit", "-qm", "with a submodule");
  await rig.git("branch", "old");
  const sub = rigIn(join(rig.root, "sub"));
  await sub.git("-c", "user.name=Bob", "-c", "user.email=b@example.com", "commit", "-q", "--allow-empty", "-m", "more");
  await rig.git("commit", "-qam", "with more of it");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("checkout", "-q", "--recurse-submodules", "old");
  await rig.write("a.txt", "2\n");
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.switched], [["a.txt"], ["sub"]]);
  assert.deepEqual(committed(await repo.commit(order(given))).files, ["a.txt"]);
});
