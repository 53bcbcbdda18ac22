// Files of the person's that git ignores, and a writer that has git see them (S1).

import assert from "node:assert/strict";
import { test } from "node:test";
import { committed, order } from "../../contracts/repo/order.ts";
import { makeRig, type Rig } from "./rig.ts";

const rules = ".env\n/build/\n";

async function withSecrets(t: Parameters<typeof makeRig>[0]): Promise<Rig> {
  const rig = await makeRig(t, { "a.txt": "one\n", ".gitignore": rules });
  await rig.write(".env", "KEY=secret\n");
  await rig.write("build/old.js", "built by the person\n");
  return rig;
}

const deeds: Readonly<Record<string, (rig: Rig) => Promise<unknown>>> = {
  "changed the rules": (rig) => rig.write(".gitignore", "nothing\n"),
  "staged them by force": (rig) => rig.git("add", "-f", ".env", "build"),
  "committed them by force": async (rig) => {
    await rig.git("add", "-f", ".env", "build");
    await rig.git("commit", "-qm", "all of it");
  },
};

for (const [what, deed] of Object.entries(deeds)) {
  test(`S1: files that git ignored when a writer began enter no commit, are shown to nobody and named: it ${what}`, async (t) => {
    const rig = await withSecrets(t);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await rig.write("made.txt", "by the agent\n");
    await rig.write("build/new.js", "by the agent\n");
    await deed(rig);
    const { left, changed, dirty, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(
      [putBack.uncovered, dirty],
      [
        [".env", "build/old.js"],
        [".env", "build/old.js"],
      ],
    );
    assert.equal(left.tree, await repo.tree());
    const shown = await repo.changes(given, dirty);
    assert.doesNotMatch(shown.diff, /secret|by the person/);
    const { files } = committed(await repo.commit(order(given, { tree: left.tree, leaveOut: dirty })));
    const rulesChanged = what === "changed the rules" ? [".gitignore"] : [];
    assert.deepEqual([files, changed], [[...rulesChanged, "build/new.js", "made.txt"], files]);
    assert.equal(await rig.read(".env"), "KEY=secret\n");
  });

  test(`E3b: nor are they staged when that work is rolled back: it ${what}`, async (t) => {
    const rig = await withSecrets(t);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await rig.write("made.txt", "by the agent\n");
    await deed(rig);
    const { changed } = await repo.afterWriter({ given, ours: [] }, "w");
    await repo.undoWork({ start: given, files: changed }, "u");
    assert.equal(await rig.git("status", "--porcelain"), "");
    assert.deepEqual([await rig.read(".env"), await rig.read(".gitignore")], ["KEY=secret\n", rules]);
  });

  test(`R6, E3: they stay, unstaged, when a reader or an interrupted agent ${what}`, async (t) => {
    const rig = await withSecrets(t);
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    await deed(rig);
    await repo.afterReader(given, "r");
    assert.equal(await rig.git("status", "--porcelain"), "");
    await deed(rig);
    await repo.restore(given, "r2");
    assert.equal(await rig.git("status", "--porcelain"), "");
    assert.deepEqual(
      [await rig.read(".env"), await rig.read("build/old.js")],
      ["KEY=secret\n", "built by the person\n"],
    );
  });
}

test("S1: a file that a writer moves is its work, however old it is, also where rules change", async (t) => {
  const rig = await withSecrets(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("mv", "a.txt", "moved.txt");
  await rig.write(".gitignore", `${rules}*.log\n`);
  const { changed, putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([changed, putBack.uncovered], [[".gitignore", "a.txt", "moved.txt"], undefined]);
});
