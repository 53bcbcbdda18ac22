// An index with conflicts, such as a stash leaves that does not fit: git makes no tree of it.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isSameState } from "../../../src/core/flow/repository.ts";
import { makeRig } from "./rig.ts";

test("E3: an index with conflicts differs from another one, is kept as a tree when it is given up, and is as it was after a restore", async (t) => {
  const rig = await makeRig(t);
  await rig.write("a.txt", "theirs\n");
  await rig.git("stash", "push", "-q");
  await rig.write("a.txt", "ours\n");
  await rig.git("commit", "-qam", "ours");
  await rig.git("stash", "apply", "-q").catch(() => undefined);
  await rig.write("only.txt", "only staged\n");
  await rig.git("add", "only.txt");
  await rig.write("only.txt", "later\n");
  const repo = await rig.open();
  const anchor = await repo.snapshot("s");
  const before = await rig.git("ls-files", "-s");
  assert.equal(anchor.index, undefined);
  assert.equal(isSameState(await repo.look(), anchor), true);

  await rig.git("update-index", "--force-remove", "only.txt");
  const left = await repo.look();
  assert.deepEqual([left.tree, isSameState(left, anchor)], [anchor.tree, false]);
  await repo.restore(anchor, "undo");
  assert.equal(await rig.git("ls-files", "-s"), before);

  const conflicted = await readFile(join(rig.root, ".git/index"));
  await rig.git("reset", "-q");
  const other = await repo.snapshot("other");
  await writeFile(join(rig.root, ".git/index"), conflicted);
  const { backupRef } = await repo.restore(other, "back");
  assert.equal((await repo.look()).index, other.index);
  const kept = await Promise.all(
    ["only.txt", "a.txt~theirs", "a.txt"].map((path) => rig.git("show", `${backupRef}.index:${path}`)),
  );
  assert.deepEqual(kept, ["only staged\n", "theirs\n", "ours\n"]);
});
