// The working tree as one hash (T6, S1), and anchors.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";

export function treeContract(make: MakeRepo): void {
  test("every kind of change gives another tree, and taking it back gives the first one again", async (t) => {
    const rig = await make(t, { "a.txt": "one\n", "src/b.txt": "two\n" });
    const first = await rig.repo.tree();
    const changes: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
      ["modified", () => rig.write("a.txt", "ONE\n"), () => rig.write("a.txt", "one\n")],
      ["untracked", () => rig.write("new.txt", "x"), () => rig.remove("new.txt")],
      ["deleted", () => rig.remove("a.txt"), () => rig.write("a.txt", "one\n")],
      ["renamed", () => rig.rename("a.txt", "c.txt"), () => rig.rename("c.txt", "a.txt")],
    ];
    for (const [what, change, undo] of changes) {
      await change();
      assert.notEqual(await rig.repo.tree(), first, what);
      await undo();
      assert.equal(await rig.repo.tree(), first, what);
    }
  });

  test("committing and staging change no tree: it is about the files", async (t) => {
    const rig = await make(t, { "a.txt": "one\n" });
    await rig.write("a.txt", "changed\n");
    await rig.write("new.txt", "new\n");
    const before = await rig.repo.tree();
    await rig.stage("new.txt");
    assert.equal(await rig.repo.tree(), before);
    await rig.commit("by hand");
    assert.equal(await rig.repo.tree(), before);
  });

  test("F7, S1: ignored files and superteam's own files are in no tree, even when they are tracked", async (t) => {
    const rig = await make(t, { ".gitignore": "*.log\n", "a.txt": "1" });
    const before = await rig.repo.tree();
    await rig.write("x.log", "noise");
    await rig.write(".superteam-workflow.json", "{}");
    await rig.write(".superteam/worktrees/t1/a.txt", "{}");
    await rig.write("docs/.superteam-0a1b.tmp", "half a text");
    assert.equal(await rig.repo.tree(), before);
    const own = [".superteam-workflow.json", ".superteam/worktrees/t1/a.txt", "docs/.superteam-0a1b.tmp"];
    for (const path of own) await rig.stage(path);
    await rig.commit("an agent that commits everything", []);
    assert.equal(await rig.repo.tree(), before);
  });

  test("T1: a new file is seen in a folder whose files were all ignored, and in one with the name of superteam's own file", async (t) => {
    const rig = await make(t, { ".gitignore": "*.log\n", "a.txt": "1" });
    await rig.write("noise/x.log", "ignored");
    const since = await rig.repo.snapshot("s");
    // Looked at twice, so that what was learnt at first is used.
    assert.equal(await rig.repo.tree(), since.tree);
    await rig.write("noise/report.txt", "not ignored");
    await rig.write(".superteam-workflow.json/inner", "not superteam's");
    const { files } = await rig.repo.changes(since);
    assert.deepEqual(
      files.map(({ path }) => path),
      [".superteam-workflow.json/inner", "noise/report.txt"],
    );
  });

  test("S1: a document that appears, changes, is committed or disappears changes no tree", async (t) => {
    const files = { "a.txt": "1", "docs/old-plan.md": "not of this run" };
    const rig = await make(t, files, ["docs/plan.md", "docs/features/001/"]);
    const before = await rig.repo.tree();
    await rig.write("docs/plan.md", "1");
    await rig.write("docs/features/001/spec.md", "1");
    assert.equal(await rig.repo.tree(), before);
    await rig.commit("documents");
    assert.equal(await rig.repo.tree(), before);
    await rig.write("docs/plan.md", "2");
    assert.equal(await rig.repo.tree(), before);
    await rig.remove("docs/plan.md");
    assert.equal(await rig.repo.tree(), before);
    await rig.write("docs/plan.md.bak", "another path");
    assert.notEqual(await rig.repo.tree(), before);
  });

  anchorContract(make);
}

function anchorContract(make: MakeRepo): void {
  test("E3: a snapshot holds HEAD and the tree, untracked files included, and can be read under its ref", async (t) => {
    const rig = await make(t, { "a.txt": "1", ".gitignore": "*.log\n" });
    await rig.write("new.txt", "x");
    await rig.write("x.log", "noise");
    const anchor = await rig.repo.snapshot("IMPLEMENT@2/try 1");
    const { sha, branch } = await rig.repo.head();
    assert.deepEqual([anchor.sha, anchor.branch, anchor.tree], [sha, branch, await rig.repo.tree()]);
    assert.deepEqual(anchor.leftAlone, []);
    assert.match(anchor.ref, /^refs\/superteam\/run-1\//);
    assert.deepEqual([await rig.show(anchor.ref, "new.txt"), await rig.show(anchor.ref, "x.log")], ["x", undefined]);
    assert.deepEqual(
      (await rig.log()).map(({ sha }) => sha),
      [sha],
      "HEAD stays",
    );
  });

  test("many readers at once agree and do not get in each other's way", async (t) => {
    const { repo, write } = await make(t, { "a.txt": "1" });
    await write("new.txt", "x");
    const anchors = await Promise.all(Array.from({ length: 6 }, (_, n) => repo.snapshot(`a${n}`)));
    assert.equal(new Set(anchors.map((anchor) => anchor.tree)).size, 1);
    assert.equal(new Set(anchors.map((anchor) => anchor.ref)).size, 6);
  });

  test("a state without some work has its files as before it, or as somebody has committed them since, and all else as it is", async (t) => {
    const rig = await make(t, { "a.txt": "1", "gone.txt": "1", "taken.txt": "1", todo: "1" });
    const { repo } = rig;
    const start = await repo.snapshot("start");
    for (const path of ["a.txt", "new.txt", "taken.txt"]) await rig.write(path, "worked on");
    await rig.remove("gone.txt");
    await rig.remove("todo");
    await rig.write("todo/inner", "worked on");
    const files = (await repo.changes(start)).files.map(({ path }) => path);
    await rig.write("taken.txt", "the person's");
    await rig.commit("Mine", ["taken.txt"]);
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
    assert.equal(await rig.read("new.txt"), undefined);
    assert.deepEqual((await repo.changes(without)).files, []);
  });
}
