// Going back to an anchor (E3): nothing that is given up is lost, and nothing of the person's is touched.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo, RepoRig } from "../repo.ts";

export function restoreContract(make: MakeRepo): void {
  test("E3: what the agent changed, created, deleted, staged and committed is undone, and what the person had is there", async (t) => {
    const rig = await make(t, { "a.txt": "1", "gone.txt": "1", "with space/ü\n.txt": "1", "-dash": "1" });
    const { repo } = rig;
    await rig.write("notes.txt", "the person's");
    const [anchor, head, before] = [await repo.snapshot("s"), await repo.head(), await rig.files()];
    await rig.write("a.txt", "2");
    await rig.commit("by the agent", ["a.txt"]);
    await rig.remove("gone.txt");
    await rig.remove("with space");
    await rig.write("-dash", "2");
    await rig.write("new/deep/er.txt", "2");
    await rig.write("staged.txt", "2");
    await rig.stage("staged.txt");
    await rig.write("notes.txt", "the agent's");
    const outcome = await repo.restore(anchor, "undo");

    assert.deepEqual([await repo.tree(), await repo.head()], [anchor.tree, head]);
    assert.deepEqual(await rig.files(), before);
    const odd = ["-dash", "a.txt", "gone.txt", "new/deep/er.txt", "notes.txt", "staged.txt", "with space/ü\n.txt"];
    assert.deepEqual([outcome.restored, outcome.leftAlone], [odd, []]);
  });

  test("E3: what is given up is kept under a ref, and the commits and what was staged under others", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "committed");
    const tip = await rig.commit("by the agent");
    await rig.write("b.txt", "staged");
    await rig.stage("b.txt");
    await rig.write("b.txt", "not committed");
    const { backupRef } = await rig.repo.restore(anchor, "undo");
    assert.equal(await rig.show(backupRef, "a.txt"), "committed");
    assert.equal(await rig.show(backupRef, "b.txt"), "not committed");
    assert.equal(await rig.show(`${backupRef}.index`, "b.txt"), "staged");
    assert.ok((await rig.log(`${backupRef}.tip`)).some(({ sha }) => sha === tip));
  });

  test("E3: what was staged at the anchor is staged again, even where its file is gone", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    await rig.write("a.txt", "staged");
    await rig.write("new.txt", "staged");
    for (const path of ["a.txt", "new.txt"]) await rig.stage(path);
    await rig.write("a.txt", "edited after that");
    const [anchor, before] = [await rig.repo.snapshot("s"), await staged(rig)];
    await rig.write("b.txt", "2");
    await rig.unstage("new.txt");
    await rig.commit("by the agent");
    await rig.repo.restore(anchor, "undo");
    assert.deepEqual(await staged(rig), before);
    assert.equal(await rig.read("a.txt"), "edited after that");
  });

  test("E3b: a state that was only looked at is restored as well: branch, commits, files and what was staged", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("b.txt", "staged");
    await rig.stage("b.txt");
    const [seen, head, before] = [await rig.repo.look(), await rig.repo.head(), await staged(rig)];
    const tip = await rig.commit("by a check");
    await rig.checkout("elsewhere");
    await rig.write("a.txt", "2");
    const { moved, backupRef } = await rig.repo.restore(seen, "check");
    assert.deepEqual([moved, await rig.repo.head(), await staged(rig)], [true, head, before]);
    assert.equal(await rig.repo.tree(), seen.tree);
    assert.ok((await rig.log(`${backupRef}.tip`)).some(({ sha }) => sha === tip));
  });

  test("E3: giving up twice under one name loses neither", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    await rig.write("b.txt", "first");
    const first = await rig.repo.restore(anchor, "undo");
    await rig.write("b.txt", "second");
    const second = await rig.repo.restore(anchor, "undo");
    const third = await rig.repo.restore(anchor, "undo");
    assert.equal(third.backupRef, second.backupRef, "nothing was given up");
    const texts = await Promise.all([first, second].map(({ backupRef }) => rig.show(backupRef, "b.txt")));
    assert.deepEqual(texts, ["first", "second"]);
  });

  test("E3b: what was taken or given back can be asked for by the start of its name, and holds what was there", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const anchor = await rig.repo.snapshot("7-work");
    await rig.write("a.txt", "2");
    const files = await rig.repo.restoreFiles(anchor, ["a.txt"], "7-work");
    await rig.write("b.txt", "2");
    await rig.commit("by the agent");
    const all = await rig.repo.restore(anchor, "7-work-interrupted");
    await rig.write("b.txt", "3");
    await rig.repo.restore(anchor, "77-work");
    const found = await rig.repo.takenBack("7-work");
    assert.deepEqual(
      found.map(({ ref }) => ref),
      [files.backupRef, all.backupRef],
    );
    const gone = await Promise.all(found.map(({ tree }) => rig.repo.difference(anchor.tree, tree)));
    assert.deepEqual(gone, [["a.txt"], ["b.txt"]]);
  });

  test("a restore says whether it moved HEAD, also when that is all it did", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("a.txt", "2");
    assert.equal((await rig.repo.restore(anchor, "files")).moved, false);
    await rig.commit("only what was there");
    const { restored, moved } = await rig.repo.restore(anchor, "commit");
    assert.deepEqual([restored, moved], [[], true]);
    await rig.checkout("other");
    assert.equal((await rig.repo.restore(anchor, "branch")).moved, true);
    assert.equal((await rig.repo.head()).branch, "main");
  });

  ignoredContract(make);
  filesContract(make);
}

function ignoredContract(make: MakeRepo): void {
  test("S1: ignored files, documents and superteam's own files are left alone", async (t) => {
    const rig = await make(t, { ".gitignore": "*.log\n", "docs/plan.md": "1" }, ["docs/plan.md", "docs/progress.md"]);
    const anchor = await rig.repo.snapshot("s");
    const left = ["debug.log", "made/debug.log", "docs/plan.md", "docs/progress.md", ".superteam-workflow.json"];
    for (const path of [...left, "made/by/agent.txt"]) await rig.write(path, "2");
    const { restored, leftAlone } = await rig.repo.restore(anchor, "undo");
    assert.deepEqual([restored, leftAlone], [["made/by/agent.txt"], []]);
    for (const path of left) assert.equal(await rig.read(path), "2", path);
    assert.equal(await rig.read("made/by/agent.txt"), undefined);
  });

  test("S1: files that were ignored before the agent changed the rules, or added them by force, are not removed", async (t) => {
    const rig = await make(t, { ".gitignore": ".env\nnode_modules\n", "a.txt": "1" });
    await rig.write(".env", "KEY=1");
    await rig.write("node_modules/x/index.js", "1");
    const anchor = await rig.repo.snapshot("s");
    await rig.write(".gitignore", "");
    await rig.write("a.txt", "2");
    await rig.commit("everything");
    const { restored } = await rig.repo.restore(anchor, "undo");
    assert.deepEqual(restored, [".gitignore", "a.txt"]);
    assert.equal(await rig.repo.tree(), anchor.tree);
    assert.deepEqual([await rig.read(".env"), await rig.read("node_modules/x/index.js")], ["KEY=1", "1"]);
  });

  test("S1: a file that the person took out of the index and ignored stays out of it", async (t) => {
    const rig = await make(t, { "a.txt": "1", "local.env": "1" });
    await rig.unstage("local.env");
    await rig.write(".gitignore", "local.env\n");
    const [anchor, before] = [await rig.repo.snapshot("s"), await rig.files()];
    await rig.write("a.txt", "2");
    await rig.repo.restore(anchor, "undo");
    assert.equal(await rig.repo.tree(), anchor.tree);
    assert.deepEqual(await rig.files(), before);
  });

  test("E3: a file that the agent both ignored and changed is kept before it is put back", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.write(".gitignore", "notes.txt\n");
    await rig.write("notes.txt", "changed");
    const { backupRef } = await rig.repo.restore(anchor, "undo");
    assert.equal(await rig.read("notes.txt"), "the person's");
    assert.equal(await rig.show(backupRef, "notes.txt"), "changed");
  });

  test("E3: what the agent made and hid with its own ignore rules is kept and removed with the rules", async (t) => {
    const rig = await make(t, { ".gitignore": "*.log\n", "src/a.txt": "1" });
    await rig.write("debug.log", "the person's");
    const [anchor, before] = [await rig.repo.snapshot("s"), await rig.files()];
    await rig.write(".gitignore", "*.log\nmine\n/sub/\n");
    await rig.write("src/.gitignore", "made\n");
    await rig.write("sub/.gitignore", "deeper\n");
    await rig.write("sub/deeper/.gitignore", "deepest\n");
    const made = ["mine/inner", "src/made", "sub/deeper/deepest"];
    for (const path of made) await rig.write(path, "2");
    const { restored, backupRef } = await rig.repo.restore(anchor, "undo");
    assert.equal(await rig.repo.tree(), anchor.tree);
    assert.deepEqual(await rig.files(), before);
    const rules = ["src/.gitignore", "sub/.gitignore", "sub/deeper/.gitignore"];
    assert.deepEqual(restored, [".gitignore", ...[...made, ...rules].sort()]);
    const refs = [
      backupRef,
      ...[2, 3, 4].map((n) => `${backupRef.replace(/-\d+$/, "")}-${n}`),
      backupRef.replace(/-\d+$/, ""),
    ];
    for (const path of made) {
      const kept = await Promise.all(refs.map((ref) => rig.show(ref, path)));
      assert.ok(kept.includes("2"), path);
    }
  });

  test("a file of the person that the agent replaced by a folder it ignores is put back", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.write(".gitignore", "notes\n");
    await rig.remove("notes");
    await rig.write("notes/inner", "the agent's");
    const { backupRef, leftAlone } = await rig.repo.restore(anchor, "undo");
    assert.deepEqual(leftAlone, []);
    assert.equal(await rig.read("notes"), "the person's");
    assert.equal(await rig.show(backupRef, "notes/inner"), "the agent's");
  });
}

function filesContract(make: MakeRepo): void {
  test("E3: just the named files are restored, and what was in their place is kept", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    const { repo } = rig;
    const mine = ["gone.txt", "notes.txt", "todo", "ideas/one.txt"];
    for (const path of [...mine, "kept.txt"]) await rig.write(path, "the person's");
    const anchor = await repo.snapshot("task/1");
    for (const path of ["gone.txt", "todo", "ideas"]) await rig.remove(path);
    for (const path of ["notes.txt", "todo/inner", "ideas"]) await rig.write(path, "the agent's");
    await rig.write("kept.txt", "not named");
    await rig.write("a.txt", "2");
    await rig.commit("by the agent", ["a.txt"]);
    const head = await repo.head();
    const outcome = await repo.restoreFiles(anchor, mine, "task/1");

    for (const path of mine) assert.equal(await rig.read(path), "the person's", path);
    assert.deepEqual([await rig.read("kept.txt"), await rig.read("a.txt")], ["not named", "2"]);
    assert.deepEqual(await repo.head(), head);
    const restored = ["gone.txt", "ideas", "ideas/one.txt", "notes.txt", "todo", "todo/inner"];
    assert.deepEqual([...outcome.restored].sort(), restored);
    assert.deepEqual([outcome.moved, outcome.leftAlone], [false, []]);
    for (const path of ["notes.txt", "todo/inner", "ideas"]) {
      assert.equal(await rig.show(outcome.backupRef, path), "the agent's", path);
    }
  });

  test("E3: restoring files again keeps what was kept before", async (t) => {
    const rig = await make(t, { "a.txt": "1" });
    await rig.write("notes.txt", "the person's");
    const anchor = await rig.repo.snapshot("s");
    await rig.write("notes.txt", "first");
    const giveBack = () => rig.repo.restoreFiles(anchor, ["notes.txt"], "s");
    const first = await giveBack();
    assert.deepEqual(await giveBack(), { ...first, restored: [] });
    await rig.write("notes.txt", "second");
    const second = await giveBack();
    const texts = await Promise.all([first, second].map(({ backupRef }) => rig.show(backupRef, "notes.txt")));
    assert.deepEqual(texts, ["first", "second"]);
  });
}

/** What is staged, as a commit of it would have it. */
async function staged(rig: RepoRig): Promise<readonly string[]> {
  const { index = "" } = await rig.repo.look();
  return [index];
}
