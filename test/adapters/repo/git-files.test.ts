// What an agent leaves in the place of git's own files (E3b): links that lead elsewhere, folders, pipes. Putting them back must not
// reach what lies behind.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder, makeRig } from "./rig.ts";

for (const [kind, make] of [
  ["link", symlink],
  ["second name", link],
] as const)
  test(`E3b: a file of git's that became a ${kind} of another file is put back, and the other file stays`, async (t) => {
    const rig = await makeRig(t);
    const [precious, exclude] = [join(await makeFolder(t), "precious"), join(rig.root, ".git/info/exclude")];
    await writeFile(precious, "precious\n");
    const repo = await rig.open();
    const before = await rig.read(".git/info/exclude");
    const given = await repo.snapshot("s");
    await rm(exclude);
    await make(precious, exclude);
    const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
    assert.deepEqual(putBack.settings, ["info/exclude"]);
    assert.equal(await readFile(precious, "utf8"), "precious\n");
    assert.equal(await rig.read(".git/info/exclude"), before);
  });

test("E3b: a folder of git's that became a link is put back, and what lies behind the link stays", async (t) => {
  const rig = await makeRig(t);
  const elsewhere = await makeFolder(t);
  for (const name of ["precious", "pre-push"]) await writeFile(join(elsewhere, name), "precious\n");
  await rig.hook("pre-push", "exit 0");
  const hook = await rig.read(".git/hooks/pre-push");
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rename(join(rig.root, ".git/hooks"), join(rig.root, ".git/moved"));
  await symlink(elsewhere, join(rig.root, ".git/hooks"));
  await symlink(elsewhere, join(rig.root, ".git/rebase-merge"));
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.ok(putBack.settings.includes("hooks") && putBack.settings.includes("hooks/pre-push"));
  for (const name of ["precious", "pre-push"])
    assert.equal(await readFile(join(elsewhere, name), "utf8"), "precious\n");
  assert.equal(await rig.read(".git/hooks/pre-push"), hook);
  assert.equal((await stat(join(rig.root, ".git/hooks/pre-push"))).mode & 0o777, 0o755);
  assert.equal(await rig.exists(".git/rebase-merge"), false);
});

test("E3b: links of the person's own are links again", async (t) => {
  const rig = await makeRig(t);
  const elsewhere = await makeFolder(t);
  await writeFile(join(elsewhere, "pre-push"), "#!/bin/sh\n");
  await mkdir(join(rig.root, ".git/hooks"), { recursive: true });
  const hook = join(rig.root, ".git/hooks/pre-push");
  await symlink(join(elsewhere, "pre-push"), hook);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rm(hook);
  await writeFile(hook, "#!/bin/sh\nexit 1\n");
  await repo.afterWriter({ given, ours: [] }, "w");
  assert.equal(await readlink(hook), join(elsewhere, "pre-push"));
  assert.equal(await readFile(hook, "utf8"), "#!/bin/sh\n");
  await writeFile(hook, "#!/bin/sh\nexit 1\n");
  await repo.afterWriter({ given, ours: [] }, "w2");
  assert.equal(await readFile(join(elsewhere, "pre-push"), "utf8"), "#!/bin/sh\n", "by the link that they made");
});

test("E3b: a folder in the place of a file of git's, or a file in that of a folder, is moved out of the way", async (t) => {
  const rig = await makeRig(t);
  await rig.hook("pre-push", "exit 0");
  const state = () => Promise.all([".git/config", ".git/info/exclude", ".git/hooks/pre-push"].map(rig.read));
  const repo = await rig.open();
  const before = await state();
  const given = await repo.snapshot("s");
  await rm(join(rig.root, ".git/info/exclude"));
  await rig.write(".git/info/exclude/inside", "x");
  await rm(join(rig.root, ".git/hooks"), { recursive: true });
  await rig.write(".git/hooks", "x");
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual([...putBack.settings].sort(), ["hooks/pre-push", "info/exclude"]);
  assert.deepEqual(await state(), before);
});

test("E3b: a pipe behind a link in git's folder is somebody else's, and stays", async (t) => {
  const rig = await makeRig(t);
  const elsewhere = await makeFolder(t);
  await mkdir(join(elsewhere, "deeper"));
  const pipes = ["pipe", "deeper/pipe"].map((name) => join(elsewhere, name));
  execFileSync("mkfifo", pipes);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rm(join(rig.root, ".git/hooks"), { recursive: true, force: true });
  await symlink(elsewhere, join(rig.root, ".git/hooks"));
  await repo.afterReader(given, "r");
  for (const pipe of pipes) assert.ok((await lstat(pipe)).isFIFO());
});

for (const path of ["hooks/pre-commit", "rebase-apply/patch", "info/exclude"])
  test(`E3b, E11: a file of git's that became too long to be kept is put back: ${path}`, async (t) => {
    const rig = await makeRig(t);
    const repo = await rig.open();
    const was = await rig.read(`.git/${path}`).catch(() => undefined);
    const given = await repo.snapshot("s");
    await rig.write(`.git/${path}`, Buffer.alloc(150_000_000));
    await repo.afterWriter({ given, ours: [] }, "w");
    assert.equal(await rig.read(`.git/${path}`).catch(() => undefined), was);
    assert.deepEqual((await repo.afterWriter({ given, ours: [] }, "again")).putBack.settings, []);
  });

for (const [what, deed] of [
  ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
  [
    "changed in its middle",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(9, 7), bytes.subarray(49)]),
  ],
  ["empty", () => Buffer.alloc(0)],
  ["its beginning and junk", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 12), Buffer.from("junk")])],
] as const)
  test(`E11: an index that an agent left ${what} is made again with what was staged, and named`, async (t) => {
    const rig = await makeRig(t);
    await rig.write("staged.txt", "staged\n");
    await rig.git("add", "staged.txt");
    await rig.write("staged.txt", "edited\n");
    const index = join(rig.root, ".git/index");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    for (const end of ["writer", "reader", "interrupted"]) {
      await writeFile(index, deed(await readFile(index)));
      const around =
        end === "writer"
          ? (await repo.afterWriter({ given, ours: [] }, end)).putBack
          : end === "reader"
            ? (await repo.afterReader(given, end)).around
            : await repo.undoAround(given, Date.now() + 60_000, end);
      assert.deepEqual([around?.settings, await rig.git("show", ":staged.txt")], [["index"], "staged\n"], end);
      assert.equal(await rig.read("staged.txt"), "edited\n");
    }
  });

test("E11: a split index whose other half an agent removed is made again", async (t) => {
  const rig = await makeRig(t);
  const repo = await rig.open();
  const given = await repo.snapshot("s");
  await rig.git("update-index", "--split-index");
  const whole = await repo.afterWriter({ given, ours: [] }, "w");
  assert.deepEqual(whole.putBack.settings, [], "one that git can read stays");
  const shared = (await readdir(join(rig.root, ".git"))).filter((name) => name.startsWith("sharedindex"));
  assert.equal(shared.length, 1);
  for (const name of shared) await rm(join(rig.root, ".git", name));
  const { putBack } = await repo.afterWriter({ given, ours: [] }, "x");
  assert.deepEqual([putBack.settings, await rig.git("status", "--porcelain")], [["index"], ""]);
});
