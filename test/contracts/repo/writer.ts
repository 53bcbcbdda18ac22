// The end of a writer (E3b): what is its work stays in the tree, and everything else is as it was given.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";
import { committed, order } from "./order.ts";
import { switchContract } from "./switch.ts";

const nothing = { files: [], moved: false, commits: [], refs: [], settings: [], pushed: [], refsKept: [] };

export function writerContract(make: MakeRepo): void {
  test("E3b: a writer that keeps to its work leaves it in the tree, and nothing is put back", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.write("new.txt", "2");
    await rig.remove("b.txt");
    const traces = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([traces.changed, traces.dirty], [["a.txt", "b.txt", "new.txt"], []]);
    assert.deepEqual(traces.putBack, nothing);
    assert.deepEqual([traces.left.tree, traces.left.sha], [await rig.repo.tree(), given.sha]);
  });

  test("F4: the person's untracked files are given back, whatever was done to them, and staged as before", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    for (const path of ["changed.txt", "gone.txt", "staged.txt", "committed.txt"]) await rig.write(path, "mine");
    await rig.stage("staged.txt");
    const given = await rig.repo.snapshot("s");
    for (const path of ["a.txt", "changed.txt", "staged.txt", "committed.txt"]) await rig.write(path, "2");
    await rig.remove("gone.txt");
    await rig.commit("everything");
    const { changed, putBack, left } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(changed, ["a.txt"]);
    assert.deepEqual(putBack.files, ["changed.txt", "committed.txt", "gone.txt", "staged.txt"]);
    for (const path of putBack.files) assert.equal(await rig.read(path), "mine", path);
    const kept = await Promise.all(putBack.refsKept.map((ref) => rig.show(ref, "changed.txt")));
    assert.ok(kept.includes("2"));
    assert.equal(left.tree, await rig.repo.tree());
    const sha = committed(await rig.repo.commit(order(given))).sha;
    assert.deepEqual([await rig.show(sha, "a.txt"), await rig.show(sha, "committed.txt")], ["2", undefined]);
    const staged = await rig.commit("what is staged", []);
    const texts = await Promise.all(["staged.txt", "committed.txt"].map((path) => rig.show(staged, path)));
    assert.deepEqual(texts, ["mine", undefined]);
  });

  test("S1: a copy of an untracked file of the person's enters no commit, is shown to nobody and named", async (t) => {
    const [mine, committedText, short] = ["private ".repeat(8), "template ".repeat(8), "few bytes"];
    const rig = await make(t, { "a.txt": committedText });
    const files = { "key.pem": mine, "template.txt": committedText, "short.txt": short, "ours.txt": `ours ${mine}` };
    for (const [path, text] of Object.entries(files)) await rig.write(path, text);
    const given = await rig.repo.snapshot("s");
    await rig.remove("key.pem");
    await rig.remove("ours.txt");
    const copies = { "other.pem": mine, "b.txt": committedText, "c.txt": short, "moved.txt": `ours ${mine}` };
    for (const [path, text] of Object.entries(copies)) await rig.write(path, text);
    await rig.stage("other.pem");
    const { left, changed, dirty, putBack } = await rig.repo.afterWriter({ given, ours: ["ours.txt"] }, "w");
    assert.deepEqual([changed, dirty], [["b.txt", "c.txt", "moved.txt", "ours.txt"], ["other.pem"]]);
    assert.deepEqual([putBack.copied, putBack.files, putBack.staged], [["other.pem"], ["key.pem"], ["other.pem"]]);
    assert.deepEqual([await rig.read("key.pem"), await rig.read("other.pem")], [mine, mine]);
    const { files: shown } = await rig.repo.changes(given, dirty);
    assert.ok(!shown.some(({ path }) => path === "other.pem"));
    const outcome = committed(await rig.repo.commit(order(given, { tree: left.tree, leaveOut: dirty })));
    assert.deepEqual(outcome.files, ["b.txt", "c.txt", "moved.txt"]);
  });

  test("E3b: what was staged beside a writer's work is staged as before, and kept", async (t) => {
    const rig = await make(t, { "a.txt": "1", "notes.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.stage("a.txt");
    await rig.write("notes.txt", "staged");
    await rig.stage("notes.txt");
    await rig.write("notes.txt", "1");
    const { changed, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.staged], [["a.txt"], ["notes.txt"]]);
    assert.deepEqual(await Promise.all(putBack.refsKept.map((ref) => rig.show(ref, "notes.txt"))), ["staged"]);
    const sha = await rig.commit("what is staged", []);
    assert.deepEqual([await rig.show(sha, "a.txt"), await rig.show(sha, "notes.txt")], ["2", "1"]);
  });

  test("E3b: files of the work that a writer continues are its own", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("first.txt", "by the first writer");
    const given = await rig.repo.snapshot("s");
    await rig.write("first.txt", "by the second");
    const { changed, dirty, putBack } = await rig.repo.afterWriter({ given, ours: ["first.txt"] }, "w");
    assert.deepEqual([changed, dirty, putBack.files], [["first.txt"], [], []]);
  });

  test("E3b: uncommitted changes of the person's that a writer dropped come back; what it built on is named as theirs too", async (t) => {
    const rig = await make(t, { "dropped.txt": "1", "edited.txt": "1" });
    for (const path of ["dropped.txt", "edited.txt"]) await rig.write(path, "mine");
    const given = await rig.repo.snapshot("s");
    await rig.write("dropped.txt", "1");
    await rig.write("edited.txt", "mine and the agent's");
    const { changed, dirty, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, dirty, putBack.files], [["edited.txt"], ["edited.txt"], ["dropped.txt"]]);
    assert.equal(await rig.read("dropped.txt"), "mine");
  });

  headContract(make);
  switchContract(make);
  undoContract(make);
}

function headContract(make: MakeRepo): void {
  test("F5: commits of a writer leave the branch, also when they change no file; the work stays", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.write("secret.txt", "password");
    await rig.commit("with a secret");
    await rig.remove("secret.txt");
    const tip = await rig.commit("without it");
    const { changed, putBack, left } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.moved, putBack.commits], [[], true, ["without it", "with a secret"]]);
    assert.deepEqual([await rig.repo.head(), left.sha], [{ sha: given.sha, branch: "main" }, given.sha]);
    assert.deepEqual((await rig.log(putBack.refsKept[0])).map(({ sha }) => sha)[0], tip);
    assert.equal((await rig.repo.look()).index, given.index);
  });

  test("F6: an amended commit is as it was, and what was amended is work in the tree", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("a.txt", "2");
    await rig.commit("of the run");
    const given = await rig.repo.snapshot("s");
    await rig.write("a.txt", "3");
    await rig.stage("a.txt");
    await rig.amend("amended");
    const { changed, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.commits], [["a.txt"], ["amended"]]);
    assert.equal((await rig.repo.head()).sha, given.sha);
    assert.deepEqual(committed(await rig.repo.commit(order(given))).files, ["a.txt"]);
  });

  test("F5: a writer that switched branches is brought back, and a branch it made is gone", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const given = await rig.repo.snapshot("s");
    await rig.checkout("elsewhere");
    await rig.write("a.txt", "2");
    await rig.commit("on it");
    const { changed, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.branch, putBack.refs], [["a.txt"], "elsewhere", []]);
    assert.deepEqual(await rig.repo.head(), { sha: given.sha, branch: "main" });
    await rig.checkout("elsewhere");
    assert.equal((await rig.repo.head()).sha, given.sha, "it was not there any more, and is made anew");
  });

  test("E3b: the same end of a writer seen twice, as after a crash, is the same", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "mine");
    const given = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.write("notes.txt", "2");
    await rig.commit("everything");
    const first = await rig.repo.afterWriter({ given, ours: [] }, "w");
    const second = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(
      [second.changed, second.left.tree, second.left.index],
      [first.changed, first.left.tree, first.left.index],
    );
  });
}

function undoContract(make: MakeRepo): void {
  test("F2: work is taken back by its files; what the person wrote, staged and committed since stays", async (t) => {
    const rig = await make(t, { "a.txt": "1", "mine.txt": "1", "gone.txt": "1" });
    const start = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    await rig.write("new.txt", "2");
    await rig.remove("gone.txt");
    for (const path of ["a.txt", "new.txt"]) await rig.stage(path);
    await rig.write("mine.txt", "staged");
    await rig.stage("mine.txt");
    await rig.write("mine.txt", "edited after that");
    await rig.write(".env.local", "KEY=1");
    await rig.write("committed.txt", "mine");
    const tree = await rig.repo.tree();
    const work = { start, files: ["a.txt", "gone.txt", "new.txt"] };
    const { backupRef, restored, found } = await rig.repo.undoWork(work, "undo");
    assert.equal(found, tree);
    assert.deepEqual([...restored].sort(), ["a.txt", "gone.txt", "new.txt"]);
    const paths = ["a.txt", "gone.txt", "new.txt", "mine.txt", ".env.local"];
    const texts = await Promise.all(paths.map(rig.read));
    assert.deepEqual(texts, ["1", "1", undefined, "edited after that", "KEY=1"]);
    assert.equal(await rig.show(backupRef, "new.txt"), "2");
    const sha = await rig.commit("what is staged", []);
    const staged = await Promise.all(["a.txt", "new.txt", "mine.txt"].map((path) => rig.show(sha, path)));
    assert.deepEqual(staged, ["1", undefined, "staged"]);
  });

  test("a commit of ours that holds the work goes with it", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const start = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    const { sha: commit } = committed(await rig.repo.commit(order(start)));
    await rig.repo.undoWork({ start, files: ["a.txt"], commit }, "undo");
    assert.deepEqual([(await rig.repo.head()).sha, await rig.read("a.txt")], [start.sha, "1"]);
  });

  test("F12: states are refs to trees, and those that nobody needs any more go", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const start = await rig.repo.snapshot("s");
    assert.deepEqual(await rig.log(start.ref).catch(() => []), []);
    await rig.write("a.txt", "2");
    const { backupRef } = await rig.repo.restore(start, "undo");
    const kept = await rig.repo.anchorWithout(start, { start, files: [] }, "7-anchor-without_before-given-up_1");
    await rig.repo.forgetStates();
    assert.deepEqual([await rig.show(start.ref, "a.txt"), await rig.show(backupRef, "a.txt")], [undefined, "2"]);
    assert.equal(await rig.show(kept.ref, "a.txt"), "1", "what a flow keeps for good");
  });
}
