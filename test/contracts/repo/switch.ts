// A switch, a reset or a merge forward while a writer works (E3b), by it or by the person: what the tree has of a commit that was there
// before is no work.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { MakeRepo, RepoRig } from "../repo.ts";
import { committed, order } from "./order.ts";

/** Two commits on `main`, the first of them on `old` as well: a task's letter came with the second. */
async function withLetter(make: MakeRepo, t: TestContext): Promise<RepoRig> {
  const rig = await make(t, { "a.txt": "1", "b.txt": "1", "d/old.txt": "1" });
  await rig.checkout("old");
  await rig.checkout("main");
  await rig.write("letter.txt", "of task 1");
  await rig.write("a.txt", "2");
  await rig.remove("d/old.txt");
  await rig.commit("task 1");
  return rig;
}

const ofTask1 = ["a.txt", "d/old.txt", "letter.txt"];

/** The files that task 1 changed are as it left them. */
async function assertLetter(rig: RepoRig): Promise<void> {
  assert.deepEqual(await Promise.all(ofTask1.map(rig.read)), ["2", undefined, "of task 1"]);
}

/** Ways to an older commit, and the branch that HEAD is on then. */
const switches: Readonly<Record<string, readonly [(rig: RepoRig) => Promise<void>, string?]>> = {
  "switched to another branch": [(rig) => rig.checkout("old"), "old"],
  "left the branch for an older commit": [(rig) => rig.detach("old"), "no branch"],
  "reset the branch to an older commit": [(rig) => rig.reset("old")],
};

export function switchContract(make: MakeRepo): void {
  for (const [what, [go, branch]] of Object.entries(switches)) {
    test(`E3b: whoever ${what} has changed no file by it; what the writer wrote there is its work`, async (t) => {
      const rig = await withLetter(make, t);
      const given = await rig.repo.snapshot("s");
      await rig.write("new.txt", "2");
      await go(rig);
      await rig.write("b.txt", "2");
      const { changed, dirty, putBack, left } = await rig.repo.afterWriter({ given, ours: [] }, "w");
      assert.deepEqual([changed, dirty, putBack.files], [["b.txt", "new.txt"], [], []]);
      assert.deepEqual([putBack.switched, putBack.branch, putBack.moved], [ofTask1, branch, true]);
      assert.equal(putBack.staged, undefined, "the index was changed by it as well");
      await assertLetter(rig);
      assert.deepEqual([await rig.repo.head(), left.tree], [{ sha: given.sha, branch: "main" }, await rig.repo.tree()]);
      assert.deepEqual(committed(await rig.repo.commit(order(given))).files, ["b.txt", "new.txt"]);
      assert.equal(await rig.repo.tree(), left.tree, "nothing of the switch is staged");
    });

    test(`E3b: what a writer committed where it ${what} is work, and what was there before is not`, async (t) => {
      const rig = await withLetter(make, t);
      const given = await rig.repo.snapshot("s");
      await go(rig);
      await rig.write("b.txt", "2");
      await rig.write("a.txt", "of both");
      await rig.commit("by the agent");
      await rig.write("new.txt", "2");
      await rig.commit("and more");
      const { changed, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
      assert.deepEqual(
        [changed, putBack.commits],
        [
          ["a.txt", "b.txt", "new.txt"],
          ["and more", "by the agent"],
        ],
      );
      assert.deepEqual(putBack.switched, ["d/old.txt", "letter.txt"]);
      assert.deepEqual([await rig.read("a.txt"), await rig.read("letter.txt")], ["of both", "of task 1"]);
      assert.deepEqual(
        (await rig.repo.changes(given)).files.map(({ path }) => path),
        ["a.txt", "b.txt", "new.txt"],
      );
    });
  }

  test("E3b: a branch that was ahead, and that HEAD's was moved on to, brings no work", async (t) => {
    const rig = await make(t, { "a.txt": "1", "b.txt": "1" });
    await rig.checkout("ahead");
    await rig.write("a.txt", "2");
    await rig.write("letter.txt", "of somebody else");
    await rig.commit("ahead");
    await rig.checkout("main");
    const given = await rig.repo.snapshot("s");
    await rig.forward("ahead");
    await rig.write("b.txt", "2");
    const { changed, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.switched], [["b.txt"], ["a.txt", "letter.txt"]]);
    assert.deepEqual([await rig.read("a.txt"), await rig.read("letter.txt")], ["1", undefined]);
  });

  test("E3b: whoever switches away and back has changed nothing", async (t) => {
    const rig = await withLetter(make, t);
    const given = await rig.repo.snapshot("s");
    await rig.checkout("old");
    await rig.checkout("main");
    const { changed, putBack, left } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, putBack.moved, putBack.branch, putBack.switched], [[], false, undefined, undefined]);
    assert.equal(left.tree, given.tree);
  });

  test("E3b: what the person had not committed, and a reset dropped, comes back; so does work that the writer was to continue", async (t) => {
    const rig = await withLetter(make, t);
    for (const path of ["a.txt", "b.txt"]) await rig.write(path, "mine");
    await rig.stage("b.txt");
    await rig.write("letter.txt", "by the first writer");
    await rig.write("notes.txt", "mine");
    const given = await rig.repo.snapshot("s");
    await rig.reset("old");
    const { changed, dirty, putBack } = await rig.repo.afterWriter({ given, ours: ["letter.txt"] }, "w");
    assert.deepEqual([changed, dirty], [[], []]);
    assert.deepEqual(
      [putBack.files, putBack.switched],
      [
        ["a.txt", "b.txt"],
        ["d/old.txt", "letter.txt"],
      ],
    );
    const texts = await Promise.all(["a.txt", "b.txt", "letter.txt", "notes.txt"].map(rig.read));
    assert.deepEqual(texts, ["mine", "mine", "by the first writer", "mine"]);
    assert.equal(await rig.repo.tree(), given.tree);
    assert.equal((await rig.repo.look()).index, given.index);
  });

  test("E3b: rules of another commit leave no file of the person's in sight, and hide no work", async (t) => {
    const rig = await make(t, { ".gitignore": "*.log\n", "a.txt": "1" });
    await rig.checkout("old");
    await rig.write(".gitignore", "*.out\n");
    await rig.commit("other rules");
    await rig.checkout("main");
    await rig.write("keys.log", "mine");
    const given = await rig.repo.snapshot("s");
    await rig.checkout("old");
    await rig.write("work.out", "2");
    const { changed, dirty, putBack } = await rig.repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual([changed, dirty, putBack.switched], [["work.out"], [], [".gitignore"]]);
    assert.deepEqual([putBack.uncovered, await rig.read("keys.log")], [undefined, "mine"]);
  });

  test("E3, E3b: going back to what an interrupted writer was given undoes a switch too", async (t) => {
    const rig = await withLetter(make, t);
    const given = await rig.repo.snapshot("s");
    await rig.reset("old");
    await rig.write("b.txt", "2");
    await rig.repo.restore(given, "undo");
    await assertLetter(rig);
    assert.deepEqual([await rig.repo.tree(), (await rig.repo.look()).index], [given.tree, given.index]);
    assert.equal((await rig.repo.head()).sha, given.sha);
  });
}
