// Rules in `.gitattributes` by which git refuses to store files (E3, E11).

import assert from "node:assert/strict";
import { test } from "node:test";
import { committed, order } from "../../contracts/repo/order.ts";
import { logGit, makeRig, type Rig } from "./rig.ts";

const rules = [
  ["an encoding that is none", "*.txt working-tree-encoding=bogus\n", "plain\n"],
  ["an encoding that the file is not in", "*.txt working-tree-encoding=UTF-16LE-BOM\n", "abc"],
  ["a filter that fails", "*.txt filter=broken\n", "plain\n"],
] as const;

async function withWork(rig: Rig, text: string): Promise<void> {
  await rig.git("config", "filter.broken.clean", "false");
  await rig.git("config", "filter.broken.required", "true");
  await rig.write("notes.txt", "the person's");
  await rig.write("a.txt", `${text}edited by the person`);
}

for (const [what, rule, text] of rules) {
  test(`E3, E11: after an agent that left ${what} everything is as it was`, async (t) => {
    for (const verb of ["afterReader", "restore"] as const) {
      const rig = await makeRig(t, { "a.txt": "one\n", "b.md": "two\n" });
      await withWork(rig, text);
      const given = await (await rig.open()).snapshot("s");
      await rig.write(".gitattributes", rule);
      await rig.write("made.txt", text);
      await rig.remove("notes.txt");
      const repo = await rig.open();
      await repo[verb](given, "w");
      assert.equal(await repo.tree(), given.tree);
      assert.deepEqual([await rig.exists(".gitattributes"), await rig.exists("made.txt")], [false, false]);
      assert.deepEqual(
        [await rig.read("notes.txt"), await rig.read("a.txt")],
        ["the person's", `${text}edited by the person`],
      );
    }
  });

  test(`E11: work that git refuses to store because of ${what} is not committed, and the rule is named`, async (t) => {
    const rig = await makeRig(t, { "a.txt": "one\n", "b.md": "two\n" });
    await withWork(rig, text);
    const repo = await rig.open("plan.txt");
    const given = await repo.snapshot("s");
    await rig.write(".gitattributes", rule);
    for (const path of ["made.txt", "plan.txt"]) await rig.write(path, text);
    const { changed } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(changed, [".gitattributes", "made.txt"]);
    assert.match((await repo.changes(given)).diff, /made\.txt/);
    for (const more of [{}, { documents: ["plan.txt"] }]) {
      const outcome = await repo.commit(order(given, more));
      assert.equal(outcome.status, "refused");
      const file = "documents" in more ? "plan" : "made";
      assert.match(outcome.detail, new RegExp(`refuses to store ${file}\\.txt .*\\.gitattributes`));
    }
    await rig.remove(".gitattributes");
    assert.deepEqual(committed(await repo.commit(order(given))).files, ["made.txt"]);
  });
}

test("E11: of very many files those that git refuses are found in a bounded number of tries", async (t) => {
  const rig = await makeRig(t, { "a.txt": "one\n" });
  await rig.write(".gitattributes", "*.bad working-tree-encoding=bogus\n");
  for (let at = 0; at < 600; at++) await rig.write(`${at}.bad`, `${at}`);
  for (const name of ["good.md", "new\nline.bad", '"quoted.bad']) await rig.write(name, "x\n");
  const log = await logGit(t);
  const tree = await (await rig.open()).tree();
  assert.ok((await log()).split("\n").filter((line) => line.includes("update-index")).length <= 204);
  const listed = (await rig.git("ls-tree", "-z", "--name-only", tree)).split("\0");
  assert.equal(listed.filter(Boolean).length, 605);
  assert.equal(await rig.git("cat-file", "blob", `${tree}:599.bad`), "599");
});
