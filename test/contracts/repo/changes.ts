// What has changed since an anchor.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MakeRepo } from "../repo.ts";

export function changesContract(make: MakeRepo): void {
  test("committed, staged, unstaged and untracked changes are seen alike, a rename as one deleted and one added", async (t) => {
    const files = { committed: "1\n", staged: "1\n", unstaged: "1\n", deleted: "1\n", old: "same\n", untouched: "1\n" };
    const rig = await make(t, files);
    const { repo } = rig;
    await rig.write("notes.txt", "mine\n");
    const anchor = await repo.snapshot("s");
    await rig.write("committed", "2\n");
    await rig.commit("by the agent", ["committed"]);
    await rig.write("staged", "2\n");
    await rig.rename("old", "new");
    for (const path of ["staged", "old", "new"]) await rig.stage(path);
    await rig.write("unstaged", "2\n");
    await rig.remove("deleted");
    await rig.write("untracked", "2\n");
    const changes = await repo.changes(anchor);
    assert.deepEqual(changes.files, [
      { path: "committed", change: "modified" },
      { path: "deleted", change: "deleted" },
      { path: "new", change: "added" },
      { path: "old", change: "deleted" },
      { path: "staged", change: "modified" },
      { path: "unstaged", change: "modified" },
      { path: "untracked", change: "added" },
    ]);
    assert.equal(changes.tree, await repo.tree());
    for (const { path } of changes.files)
      assert.match(changes.diff, new RegExp(`^diff --git a/${path} b/${path}$`, "m"));
    assert.doesNotMatch(changes.diff, /notes\.txt|untouched/);
    assert.deepEqual(
      [...(await repo.difference(anchor.tree, changes.tree))],
      changes.files.map(({ path }) => path),
    );
  });

  test("no change is an empty list and an empty diff", async (t) => {
    const { repo } = await make(t, { "a.txt": "1" });
    const anchor = await repo.snapshot("s");
    assert.deepEqual(await repo.changes(anchor), {
      files: [],
      diff: "",
      tree: anchor.tree,
      leftAlone: [],
    });
  });

  test("an untracked file of the person that the agent's work made ignored is not shown as deleted", async (t) => {
    const rig = await make(t, { "a.txt": "1", "tracked.env": "1" });
    await rig.write("notes.txt", "mine");
    const anchor = await rig.repo.snapshot("s");
    await rig.write(".gitignore", "notes.txt\ntracked.env\n");
    await rig.unstage("tracked.env");
    const { files, diff } = await rig.repo.changes(anchor);
    assert.deepEqual(files, [
      { path: ".gitignore", change: "added" },
      { path: "tracked.env", change: "deleted" },
    ]);
    assert.doesNotMatch(diff, /a\/notes\.txt/);
  });

  test("what is the person's can be left out", async (t) => {
    const rig = await make(t, { "a.txt": "1", "mine.txt": "1" });
    const anchor = await rig.repo.snapshot("s");
    for (const path of ["a.txt", "mine.txt", "folder/mine.txt"]) await rig.write(path, "2");
    const { files, diff, tree } = await rig.repo.changes(anchor, ["mine.txt", "folder"]);
    assert.deepEqual(files, [{ path: "a.txt", change: "modified" }]);
    assert.doesNotMatch(diff, /mine\.txt/);
    assert.equal(tree, await rig.repo.tree());
  });
}
