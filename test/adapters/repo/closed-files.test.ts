// Files that others on this machine cannot read (S1): they come back as closed as they were.

import assert from "node:assert/strict";
import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Anchor } from "../../../src/core/flow/repository.ts";
import type { Repo } from "../../../src/ports/repo.ts";
import { until } from "../../rig/until.ts";
import { makeFolder, makeRig, type Rig, rigIn } from "./rig.ts";

const modeOf = (rig: Rig, path: string): string => (statSync(join(rig.root, path)).mode & 0o777).toString(8);

/** Untracked, read-only, and edited. */
const before = { "key.pem": "600", "locked.pem": "400", "a.txt": "640" };
const modes = (rig: Rig): Record<string, string> =>
  Object.fromEntries(Object.keys(before).map((path) => [path, modeOf(rig, path)]));

async function withKeys(t: TestContext): Promise<{ rig: Rig; repo: Repo; given: Anchor }> {
  const rig = await makeRig(t);
  for (const [path, mode] of Object.entries(before)) {
    await rig.write(path, `private ${path}\n`);
    chmodSync(join(rig.root, path), Number.parseInt(mode, 8));
  }
  await rig.write("open.txt", "for all\n");
  const repo = await rig.open();
  return { rig, repo, given: await repo.snapshot("s") };
}

const deeds: Readonly<Record<string, (rig: Rig, path: string) => Promise<void>>> = {
  "removes them": async (rig, path) => rmSync(join(rig.root, path)),
  "writes them anew": async (rig, path) => {
    rmSync(join(rig.root, path));
    await rig.write(path, "agent\n");
  },
  "opens them": async (rig, path) => chmodSync(join(rig.root, path), 0o666),
};

for (const [what, deed] of Object.entries(deeds)) {
  const onAll = async (rig: Rig): Promise<void> => {
    for (const path of Object.keys(before)) await deed(rig, path);
  };

  test(`S1: files that others cannot read are as closed as before when an interrupted agent ${what}`, async (t) => {
    const { rig, repo, given } = await withKeys(t);
    await onAll(rig);
    const { restored } = await repo.restore(given, "r");
    const { "locked.pem": locked, ...others } = modes(rig);
    assert.deepEqual([others, locked === "400" || locked === "600"], [{ "key.pem": "600", "a.txt": "640" }, true]);
    assert.deepEqual([restored, await repo.tree()], [Object.keys(before).sort(), given.tree]);
    assert.equal(await rig.read("key.pem"), "private key.pem\n");
  });

  test(`S1, R6: so they are after a writer and a reader, and it is named: it ${what}`, async (t) => {
    const { rig, repo, given } = await withKeys(t);
    await deed(rig, "key.pem");
    const { putBack, left } = await repo.afterWriter({ given, ours: [] }, "w");
    const named = what === "opens them" ? putBack.exposed : putBack.files;
    assert.deepEqual([named, modeOf(rig, "key.pem")], [["key.pem"], "600"]);
    await deed(rig, "key.pem");
    const { touched, around } = await repo.afterReader(left, "r");
    assert.deepEqual([around.exposed ?? touched, modeOf(rig, "key.pem")], [["key.pem"], "600"]);
  });
}

test("S1: an edited file that others cannot read stays closed when the work in it is rolled back", async (t) => {
  const { rig, repo, given } = await withKeys(t);
  rmSync(join(rig.root, "a.txt"));
  await rig.write("a.txt", "agent\n");
  const { changed, putBack } = await repo.afterWriter({ given, ours: ["a.txt"] }, "w");
  assert.deepEqual([changed, putBack.exposed, modeOf(rig, "a.txt")], [["a.txt"], ["a.txt"], "640"]);
  rmSync(join(rig.root, "a.txt"));
  await repo.undoWork({ start: given, files: changed }, "u");
  assert.deepEqual([modeOf(rig, "a.txt"), await rig.read("a.txt")], ["640", "private a.txt\n"]);
});

test("S1: single files come back as closed as they were, also those that nobody may write", async (t) => {
  const { rig, repo, given } = await withKeys(t);
  for (const path of Object.keys(before)) rmSync(join(rig.root, path));
  await repo.restoreFiles(given, Object.keys(before), "f");
  assert.deepEqual(modes(rig), before);
});

test("S1: there is no moment in which others can read such a file while it is restored", async (t) => {
  const { rig, repo } = await withKeys(t);
  const signs = await makeFolder(t);
  await rig.write("z.slow", "mine\n");
  await rig.write(".gitattributes", "*.slow filter=slow\n");
  const all = await repo.snapshot("all");
  const wait = `touch ${signs}/reached; while [ ! -e ${signs}/go ]; do sleep 0.05; done; cat`;
  await rig.git("config", "filter.slow.smudge", `sh -c '${wait}'`);
  for (const path of ["key.pem", "z.slow"]) rmSync(join(rig.root, path));
  const doing = repo.restore(all, "r");
  await until(() => rigIn(signs).exists("reached"));
  const own = join(rig.root, ".git/superteam");
  const folders = readdirSync(own).filter((name) => name.startsWith("restore-"));
  const folderModes = folders.map((name) => (statSync(join(own, name)).mode & 0o777).toString(8));
  assert.deepEqual([folderModes, await rig.exists("key.pem")], [["700"], false]);
  await rigIn(signs).write("go", "");
  await doing;
  assert.equal(modeOf(rig, "key.pem"), "600");
});
