// A tree that is made from another one entry by entry is the one that an index would give, and git takes it for sound.

import assert from "node:assert/strict";
import { test } from "node:test";
import { editTree } from "../../../src/adapters/repo/git/tree/edit-tree.ts";
import { diffTrees } from "../../../src/adapters/repo/git/tree/trees.ts";
import fc, { times } from "../../rig/property.ts";
import { makeRig } from "./rig.ts";

/** Few names, so that a file and a folder often have the same one; `b.` and `b-` sort differently beside a folder `b`. */
const name = fc.constantFrom("a", "b", "b.", "b-", "é", "two words");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const files = fc.dictionary(path, fc.constantFrom("100644", "100755", "120000"), { maxKeys: 8 });

test("from any tree to any other", async (t) => {
  const rig = await makeRig(t);
  const blob = (await rig.git("hash-object", "-w", "a.txt")).trim();
  const treeWith = async (wanted: Readonly<Record<string, string>>): Promise<string> => {
    await rig.git("read-tree", "--empty");
    for (const [each, mode] of Object.entries(wanted))
      await rig.git("update-index", "--add", "--replace", "--cacheinfo", `${mode},${blob},${each}`);
    return (await rig.git("write-tree")).trim();
  };
  await fc.assert(
    fc.asyncProperty(files, files, async (some, others) => {
      const [from, to] = [await treeWith(some), await treeWith(others)];
      const edits = (await diffTrees(rig.root, from, to)).map(({ path, change, newMode, newHash }) => ({
        path,
        entry: change === "deleted" ? null : { mode: newMode, hash: newHash },
      }));
      assert.equal(await editTree(rig.root, from, edits), to);
    }),
    { numRuns: times(25) },
  );
  assert.equal(await rig.git("fsck", "--strict", "--no-dangling"), "");
});

test("taking out what is not there changes nothing, and a file is not a folder of its name", async (t) => {
  const rig = await makeRig(t);
  const tree = (await rig.git("rev-parse", "HEAD^{tree}")).trim();
  const out = (...paths: readonly string[]) => paths.map((each) => ({ path: each, entry: null }));
  assert.equal(await editTree(rig.root, tree, out("none", "none/at/all", "a.txt/below", "src")), tree);
});

test("where no git can be asked nothing is made up", async () => {
  assert.equal(await editTree("/no/such/place", "0".repeat(40), [{ path: "a", entry: null }]), undefined);
});
