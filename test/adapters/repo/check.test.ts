// What a check that superteam runs does to git's own files, and what an agent leaves of the objects that are staged.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeRig, type Rig } from "./rig.ts";

test("E3b: git's configuration, hooks and rules are as they were after a check, named and kept; branches and stashes stay", async (t) => {
  const rig = await makeRig(t);
  await rig.hook("pre-push", "exit 1");
  const state = () =>
    Promise.all([rig.read(".git/config"), rig.read(".git/hooks/pre-push"), rig.read(".git/info/exclude")]);
  const before = await state();
  const repo = await rig.open();
  const since = await repo.look();
  const files = await repo.gitFiles();
  await rig.git("config", "user.name", "Somebody");
  await rig.hook("pre-push", "exit 0");
  await rig.hook("pre-commit", "exit 1");
  await rig.write(".git/info/exclude", "*.log\n");
  await rig.git("branch", "made");
  await rig.write("a.txt", "stashed");
  await rig.git("stash", "push", "-q");
  const { settings, settingsKept } = await repo.restoreGitFiles(since, files, "check");
  assert.deepEqual([...settings].sort(), ["config", "hooks/pre-commit", "hooks/pre-push", "info/exclude"]);
  assert.deepEqual(await state(), before);
  assert.equal(await rig.exists(".git/hooks/pre-commit"), false);
  assert.match(await readFile(join(settingsKept ?? "", "config"), "utf8"), /name = Somebody/);
  assert.match(await rig.git("stash", "list"), /stash@\{0\}/);
  assert.match(await rig.git("branch"), /made/);
  assert.deepEqual(await repo.restoreGitFiles(since, await repo.gitFiles(), "check"), { settings: [] });
});

for (const [what, deed] of [
  ["HEAD that is none", (at: string) => writeFile(join(at, "HEAD"), "junk\n")],
  ["a pipe as HEAD", (at: string) => pipeAs(at, "HEAD")],
  ["a pipe as the configuration", (at: string) => pipeAs(at, "config")],
  ["junk as the index", (at: string) => writeFile(join(at, "index"), "junk\n")],
  ["another repository's folder for its own", (at: string) => writeFile(join(at, "commondir"), "../../elsewhere\n")],
] as const)
  test(`E11: with ${what} git can be used again after a check`, { timeout: 60_000 }, async (t) => {
    const rig = await makeRig(t);
    const repo = await rig.open();
    const since = await repo.look();
    const files = await repo.gitFiles();
    await deed(join(rig.root, ".git"));
    const { settings } = await repo.restoreGitFiles(since, files, "check");
    assert.equal(settings.length, 1);
    assert.deepEqual(await repo.look(), since);
  });

async function pipeAs(gitDir: string, path: string): Promise<void> {
  await rm(join(gitDir, path));
  execFileSync("mkfifo", [join(gitDir, path)]);
}

async function loseObject(rig: Rig, path: string): Promise<void> {
  const hash = (await rig.git("rev-parse", `:${path}`)).trim();
  await rm(join(rig.root, ".git/objects", hash.slice(0, 2), hash.slice(2)));
}

test("E11: what an agent staged and removed from git's objects is its work, as its files are", async (t) => {
  for (const end of ["writer", "reader", "interrupted"]) {
    const rig = await makeRig(t);
    await rig.write("mine.txt", "mine");
    await rig.git("add", "mine.txt");
    const repo = await rig.open();
    const given = await repo.snapshot("s");
    for (const name of ["new.txt", "gone.txt"]) await rig.write(name, `${name} ${end}`);
    await rig.git("add", "new.txt", "gone.txt");
    for (const name of ["new.txt", "gone.txt"]) await loseObject(rig, name);
    await rig.remove("gone.txt");
    if (end === "writer") assert.deepEqual((await repo.afterWriter({ given, ours: [] }, "w")).changed, ["new.txt"]);
    else if (end === "reader") assert.deepEqual((await repo.afterReader(given, "r")).touched, ["new.txt"]);
    else {
      await repo.undoAround(given, Date.now() + 60_000, "i");
      await repo.restore(given, "i");
    }
    assert.equal(await rig.exists("new.txt"), end === "writer", end);
    assert.equal((await rig.git("diff", "--cached", "--name-only")).trim(), "mine.txt", end);
    assert.equal((await repo.look()).index, given.index, end);
  }
});
