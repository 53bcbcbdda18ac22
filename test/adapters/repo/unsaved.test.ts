// Files and folders that no tree holds, before an agent and after it (E3b, R6, T1): nobody has a copy, so each difference is named; and what
// a writer made of them is undone with its work.

import assert from "node:assert/strict";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Anchor, Unsaved } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { makeNested, makeRig, type Rig } from "./rig.ts";

const large = Buffer.alloc(11 << 20);

async function begin(t: TestContext): Promise<{ rig: Rig; repo: Repo; given: Anchor }> {
  const rig = await makeRig(t);
  await rig.write("huge.bin", large);
  await rig.write("other.bin", large);
  await makeNested(rig, "lib");
  await rig.write("lib/deep/down.txt", "theirs");
  const repo = await rig.open();
  return { rig, repo, given: await repo.snapshot("s") };
}

const ends: Readonly<Record<string, (repo: Repo, given: Anchor) => Promise<Unsaved | undefined>>> = {
  writer: async (repo, given) => (await repo.afterWriter({ given, ours: [] }, "w")).putBack.unsaved,
  reader: async (repo, given) => (await repo.afterReader(given, "r")).around.unsaved,
  interrupted: async (repo, given) => (await repo.undoAround(given, Date.now() + 1000, "i"))?.unsaved,
};

for (const [what, unsavedAfter] of Object.entries(ends)) {
  test(`E3b, R6: what a ${what} changed or removed of files without a copy is named, and what it left alone is not`, async (t) => {
    const { rig, repo, given } = await begin(t);
    assert.deepEqual(given.leftAlone, ["huge.bin", "lib", "other.bin"]);
    assert.equal(await unsavedAfter(repo, given), undefined);
    await rig.write("huge.bin", "small\n");
    await rig.write("lib/deep/down.txt", "another's");
    await rename(join(rig.root, "other.bin"), join(rig.root, "elsewhere.bin"));
    assert.deepEqual(await unsavedAfter(repo, given), { changed: ["huge.bin", "lib"], gone: ["other.bin"] });
    assert.equal(await rig.read("huge.bin"), "small\n", "it stays as it is");
  });
}

test("R6: a reader that changed such a file has changed a file", async (t) => {
  const { rig, repo, given } = await begin(t);
  await rm(join(rig.root, "huge.bin"));
  assert.deepEqual((await repo.afterReader(given, "r")).touched, ["huge.bin"]);
});

test("E3: what changed after an interrupted agent was gone is not told as its doing", async (t) => {
  const { rig, repo, given } = await begin(t);
  await rig.write("huge.bin", "small\n");
  assert.equal((await repo.undoAround(given, 0, "i"))?.unsaved, undefined);
  assert.deepEqual(await repo.changedAround(given), ["huge.bin"], "when nobody knows when that was, it is named");
});

test("T1: what a writer made or changed and no commit can hold is said", async (t) => {
  const { rig, repo, given } = await begin(t);
  assert.equal((await repo.afterWriter({ given, ours: [] }, "w1")).unheld, undefined);
  await rig.write("huge.bin", "small\n");
  await rig.write("a.txt", large);
  await makeNested(rig, "made");
  const { unheld, changed } = await repo.afterWriter({ given, ours: [] }, "w2");
  assert.deepEqual([unheld, changed], [["a.txt", "huge.bin", "made"], []]);
});

test("E3b: undoing work restores a file that it made too large, and moves away what it made and no tree can hold", async (t) => {
  const { rig, repo, given } = await begin(t);
  await rig.write("a.txt", large);
  await rig.write("new.bin", large);
  await makeNested(rig, "made");
  const { unheld = [], changed } = await repo.afterWriter({ given, ours: [] }, "w");
  await rig.write("mine.bin", large);
  const { asideIn = "", leftAlone } = await repo.undoWork({ start: given, files: [...changed, ...unheld] }, "u");
  assert.equal(await rig.read("a.txt"), "one\n");
  const left = (await repo.look()).leftAlone;
  assert.deepEqual(left, ["huge.bin", "lib", "mine.bin", "other.bin"], "what was there before, or came later, stays");
  assert.deepEqual(leftAlone, left);
  const kept = await readdir(asideIn);
  assert.deepEqual(kept.sort(), ["a.txt", "made", "new.bin"]);
});
